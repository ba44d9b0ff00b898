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
        """The frames of a file. All of them are read first, so that no frame is left for the next file."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [PYTHON, "-I", str(self.script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=ENVIRONMENT,
            )
        if self.process.stdin is None or self.process.stdout is None:
            sys.exit(f"{self.script} has no pipes")
        self.process.stdin.write(path.encode() + b"\n")
        self.process.stdin.flush()
        received = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise OSError("crashed")
            try:
                said = json.loads(line)
            except ValueError:
                self.process.kill()
                raise
            if "end" in said:
                break
            received.append((said, self.process.stdout.read(said["bytes"])))
        for head, data in received:
            yield from _renderings(head, data)
        if said["end"]:
            raise ValueError(said["end"])


def _renderings(head: dict, data: bytes) -> Frames:
    """The pixels of one frame; the last row of its data may end with its last pixel."""
    width, height, channels, row = (head[name] for name in ("width", "height", "channels", "row"))
    if not width or not height:
        return
    rows = np.frombuffer(data.ljust(row * height, b"\0"), np.uint8)[: row * height].reshape(height, row)
    pixels = np.ascontiguousarray(rows[:, : width * channels]).reshape(height, width, channels)
    if channels == 3:
        yield head["label"], pixels
    else:
        yield from over(head["label"], pixels)


def over(label: str, pixels: np.ndarray) -> Frames:
    """Pixels with alpha over white and over black; both are the same where alpha is 255 everywhere."""
    colours, alpha = pixels[..., :3].astype(np.uint16), pixels[..., 3:].astype(np.uint16)
    if alpha.min() == 255:
        yield label, np.ascontiguousarray(pixels[..., :3])
        return
    for name, level in (("over white", 255), ("over black", 0)):
        yield f"{label} {name}", ((colours * alpha + level * (255 - alpha)) // 255).astype(np.uint8)
