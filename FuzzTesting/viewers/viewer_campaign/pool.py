# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Processes of viewers that stay open: one file at a time, with a time limit, and a new process after a crash."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

PLAYERS = ("ffmpeg", "Chromium", "VLC", "mpv", "GStreamer", "Firefox")
VIEWERS = ("Pillow", "ffmpeg", "GdkPixbuf", "Qt", "ImageMagick", *PLAYERS[1:])
SECONDS = {"Chromium": 40, "Firefox": 60, "VLC": 40, "mpv": 40}
# Leaks of the libraries go with the process.
MOST_FILES = 600


class Worker:
    """One process of one viewer."""

    def __init__(self, viewer: str, folder: Path) -> None:
        self.viewer, self.folder = viewer, folder
        self.process: subprocess.Popen[bytes] | None = None
        self.files = 0
        self.pending = b""

    def _start(self) -> None:
        package = Path(__file__).parent
        code = (
            f"import sys; sys.path.insert(0, {str(package.parent)!r}); from viewer_campaign.looker import serve; "
            f"from pathlib import Path; serve({self.viewer!r}, Path({str(self.folder)!r}))"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.files, self.pending = 0, b""

    def _line(self, seconds: float) -> bytes | None:
        """The next line of the process; None after the time limit, empty at its end."""
        assert self.process and self.process.stdout
        descriptor = self.process.stdout.fileno()
        while b"\n" not in self.pending:
            if not select.select([descriptor], [], [], seconds)[0]:
                return None
            data = os.read(descriptor, 65536)
            if not data:
                return b""
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        return line

    def look(self, path: Path, holds_pattern: bool = True) -> dict[str, Any]:
        """What the viewer shows of a file: frames, shown, problem, labels, inputs.

        Frames of a file without the test pattern are not searched for it."""
        if self.process is None or self.process.poll() is not None or self.files >= MOST_FILES:
            self.stop()
            self._start()
        assert self.process and self.process.stdin
        self.files += 1
        line: bytes | None = b""
        try:
            self.process.stdin.write(json.dumps([str(path), holds_pattern]).encode() + b"\n")
            self.process.stdin.flush()
            line = self._line(SECONDS.get(self.viewer, 25))
        except BrokenPipeError:
            pass
        if not line:
            self.stop()
            return {
                "frames": 0,
                "shown": [],
                "problem": "timeout" if line is None else "crashed",
                "labels": [],
                "inputs": "",
            }
        result: dict[str, Any] = json.loads(line)
        return result

    def stop(self) -> None:
        """Ends the process and its children, which are in a session of their own."""
        if self.process:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe:
                    try:
                        pipe.close()
                    except BrokenPipeError:
                        pass
        self.process = None
