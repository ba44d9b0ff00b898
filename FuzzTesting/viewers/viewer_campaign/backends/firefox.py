# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Frames of Firefox: one browser that stays open, driven over the socket of its Marionette protocol."""

import atexit
import json
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from . import Frames
from .chromium import VIDEOS, pixels_of

SECONDS = 40
PREFERENCES = {
    # The browser picks a free port, and writes its number into the profile.
    "marionette.port": 0,
    "security.fileuri.strict_origin_policy": False,
    "media.autoplay.default": 0,
    "media.hardware-video-decoding.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.proxy.type": 0,
    "app.update.enabled": False,
}


class Firefox:
    """The browser; it is started again after an error."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="viewer-firefox-"))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.page = Path(__file__).with_name("chromium_page.html")
        self.number, self.pending = 0, b""
        self.socket: socket.socket | None = None

    def _start(self) -> None:
        profile = self.folder / "profile"
        shutil.rmtree(profile, ignore_errors=True)
        profile.mkdir()
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("".join(lines))
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(profile)],
            env={"HOME": str(self.folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MOZ_CRASHREPORTER_DISABLE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port, end = profile / "MarionetteActivePort", time.monotonic() + SECONDS
        while not (port.exists() and port.read_text().strip()):
            if time.monotonic() > end or self.process.poll() is not None:
                raise OSError("the browser does not start")
            time.sleep(0.1)
        self.socket = socket.create_connection(("127.0.0.1", int(port.read_text())), SECONDS)
        self.pending = b""
        self._message()
        self._call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"timeouts": {"script": SECONDS * 1000}}}})
        self._call("WebDriver:Navigate", {"url": self.page.as_uri()})

    def _message(self) -> Any:
        """The next message: its length, a colon, and JSON."""
        assert self.socket
        while b":" not in self.pending or len(self.pending) < self._end():
            data = self.socket.recv(1 << 20)
            if not data:
                raise OSError("the browser has ended")
            self.pending += data
        end, start = self._end(), self.pending.index(b":") + 1
        message, self.pending = self.pending[start:end], self.pending[end:]
        return json.loads(message)

    def _end(self) -> int:
        length, _, _ = self.pending.partition(b":")
        return len(length) + 1 + int(length)

    def _call(self, method: str, parameters: dict[str, Any]) -> Any:
        assert self.socket
        self.number += 1
        request = json.dumps([0, self.number, method, parameters]).encode()
        self.socket.sendall(str(len(request)).encode() + b":" + request)
        _, _, error, result = self._message()
        if error:
            raise ValueError(str(error.get("message", "error"))[:200])
        return result

    def _stop(self) -> None:
        if self.socket:
            self.socket.close()
        if self.process:
            # In the session of the worker, so that it ends with the worker as well.
            self.process.kill()
            self.process.wait()
        self.process = self.socket = None

    def frames(self, path: str) -> Frames:
        """Moments of a video, or the picture over white and black."""
        call = "showVideo" if path.rsplit(".", 1)[-1] in VIDEOS else "show"
        script = f"const done = arguments[1]; {call}(arguments[0], '').then(done, error => done({{frames: [], problem: String(error)}}));"
        try:
            if self.process is None:
                self._start()
            result = self._call(
                "WebDriver:ExecuteAsyncScript", {"script": script, "args": [Path(path).as_uri()], "sandbox": None}
            )
        except (OSError, TimeoutError):
            self._stop()
            raise
        yield from pixels_of(result["value"])
