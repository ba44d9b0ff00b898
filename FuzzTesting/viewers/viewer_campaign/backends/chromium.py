# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Frames of Chromium: one browser that stays open, driven over the pipe of its DevTools protocol."""

import atexit
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from . import Frames

SECONDS = 30
VIDEOS = ("mp4", "mov", "mkv", "webm", "avi", "ts", "flv", "ogg", "wmv", "mpg")
TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "bmp": "image/bmp",
    "jxl": "image/jxl",
}
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--remote-debugging-pipe",
    "--allow-file-access-from-files",
    "--disable-web-security",
    "--mute-audio",
    "--autoplay-policy=no-user-gesture-required",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--force-color-profile=srgb",
)


def pixels_of(answer: dict[str, Any]) -> Frames:
    """The frames in an answer of the page."""
    for frame in answer["frames"]:
        pixels = np.frombuffer(base64.b64decode(frame["data"]), np.uint8).reshape(frame["height"], frame["width"], 4)
        yield frame["label"], np.ascontiguousarray(pixels[..., :3])
    if answer["problem"]:
        raise ValueError(answer["problem"])


class Chromium:
    """The browser; it is started again after an error."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="viewer-chromium-"))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.page = Path(__file__).with_name("chromium_page.html")
        self.number, self.pending, self.session = 0, b"", ""

    def _start(self) -> None:
        their_input, self.input = os.pipe()
        self.output, their_output = os.pipe()
        # The browser reads from descriptor 3 and writes to descriptor 4.
        self.process = subprocess.Popen(
            [
                "bash",
                "-c",
                f'exec chromium "$@" 3<&{their_input} 4>&{their_output}',
                "chromium",
                *OPTIONS,
                f"--user-data-dir={self.folder}",
                "about:blank",
            ],
            pass_fds=(their_input, their_output),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(their_input)
        os.close(their_output)
        self.pending, self.session = b"", ""
        target = self._call("Target.createTarget", url=self.page.as_uri())["targetId"]
        self.session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Inspector.enable")
        end = time.monotonic() + SECONDS
        # The first document of a new process lacks some interfaces, so it is loaded once more.
        while self._evaluate("typeof show + typeof ImageDecoder") != "functionfunction":
            if time.monotonic() > end:
                raise OSError("the page does not load")
            time.sleep(0.1)
            self._evaluate("typeof show === 'function' && typeof ImageDecoder !== 'function' && location.reload()")
            time.sleep(0.1)

    def _message(self, end: float) -> dict[str, Any]:
        while b"\0" not in self.pending:
            if not select.select([self.output], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("no answer")
            data = os.read(self.output, 1 << 20)
            if not data:
                raise OSError("the browser has ended")
            self.pending += data
        message, self.pending = self.pending.split(b"\0", 1)
        parsed: dict[str, Any] = json.loads(message)
        if parsed.get("method") == "Inspector.targetCrashed":
            raise OSError("the page crashed")
        return parsed

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.input, json.dumps(request).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            answer = self._message(end)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise OSError(answer["error"].get("message", "error"))
                result: dict[str, Any] = answer["result"]
                return result

    def _evaluate(self, expression: str) -> Any:
        result = self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise ValueError(str(result["exceptionDetails"].get("exception", {}).get("description", "exception"))[:200])
        return result["result"].get("value")

    def _stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            os.close(self.input)
            os.close(self.output)
        self.process = None

    def frames(self, path: str) -> Frames:
        """The picture over white and black, moments of an animation, or moments of a video."""
        ending = path.rsplit(".", 1)[-1]
        call = "showVideo" if ending in VIDEOS else "show"
        try:
            if self.process is None:
                self._start()
            answer = self._evaluate(f"{call}({json.dumps(Path(path).as_uri())}, {json.dumps(TYPES.get(ending, ''))})")
        except (OSError, TimeoutError):
            self._stop()
            raise
        yield from pixels_of(answer)
