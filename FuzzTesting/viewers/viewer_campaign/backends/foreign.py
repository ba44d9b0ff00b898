# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Frames of a program that the system's Python runs: GdkPixbuf and Qt, whose bindings are packages of the system."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from . import Frames

PYTHON = "/usr/bin/python3"
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8", "HOME": "/nonexistent"}


class Foreign:
    """A process that stays open. It answers each path with lines of JSON, each followed by so many bytes."""

    def __init__(self, script: str) -> None:
        self.script = Path(__file__).parent / script
        self.process: subprocess.Popen[bytes] | None = None

    def frames(self, path: str) -> Frames:
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([PYTHON, "-I", str(self.script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        if self.process.stdin is None or self.process.stdout is None:
            sys.exit(f"{self.script} has no pipes")
        self.process.stdin.write(path.encode() + b"\n")
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise OSError("crashed")
            said = json.loads(line)
            if "end" in said:
                if said["end"]:
                    raise ValueError(said["end"])
                return
            width, height, channels, row = said["width"], said["height"], said["channels"], said["row"]
            data = self.process.stdout.read(said["bytes"])
            if not width or not height:
                continue
            # The last row may end with its last pixel.
            data = data.ljust(row * height, b"\0")
            pixels = np.frombuffer(data, np.uint8)[:row * height].reshape(height, row)[:, :width * channels]
            pixels = pixels.reshape(height, width, channels)
            if channels == 3:
                yield said["label"], np.ascontiguousarray(pixels)
            else:
                yield from over(said["label"], pixels)


def over(label: str, pixels: np.ndarray) -> Frames:
    """Pixels with alpha over white and over black; both are the same where alpha is 255 everywhere."""
    colours, alpha = pixels[..., :3].astype(np.uint16), pixels[..., 3:].astype(np.uint16)
    if alpha.min() == 255:
        yield label, np.ascontiguousarray(pixels[..., :3])
        return
    for name, level in (("over white", 255), ("over black", 0)):
        yield f"{label} {name}", ((colours * alpha + level * (255 - alpha)) // 255).astype(np.uint8)
