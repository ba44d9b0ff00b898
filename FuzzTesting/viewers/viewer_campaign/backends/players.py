# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Frames of VLC, mpv and GStreamer, which play a video from its start, and again from a later moment."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from PIL import Image

from . import Frames
from .pixmaps import pictures

SECONDS = 12
NOBODY = 65534
# The moment from which a video is played again, in seconds: a player finds it by the index.
LATER = 1


@contextmanager
def _folder(path: str) -> Iterator[tuple[Path, Path]]:
    """A folder for frames, and a copy of the file in it, both open to the user of the player."""
    with tempfile.TemporaryDirectory(prefix="viewer-player-") as name:
        folder = Path(name)
        copy = folder / Path(path).name
        shutil.copy(path, copy)
        frames = folder / "frames"
        frames.mkdir()
        for each, mode in ((folder, 0o755), (copy, 0o644), (frames, 0o777)):
            each.chmod(mode)
        yield copy, frames


def _play(command: list[str], folder: Path) -> None:
    """Runs a player until it ends or its time is over. VLC refuses to run as root."""

    def become_nobody() -> None:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            command,
            env={"HOME": str(folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            preexec_fn=become_nobody,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )


def _pictures(folder: Path, label: str) -> Frames:
    for path in sorted(folder.glob("*.png")):
        # The frame at which a player was killed may be cut off.
        with suppress(OSError, SyntaxError):
            yield f"{label}:{path.stem}", np.asarray(Image.open(path).convert("RGB"))
        path.unlink()


def vlc(path: str) -> Frames:
    """The frames of VLC, at four times the speed."""
    with _folder(path) as (copy, folder):
        for start in (0, LATER):
            command = ["vlc", "-I", "dummy", "--no-audio", "--no-video-title-show", "--no-spu", "--vout=dummy"]
            command += ["--video-filter=scene", "--scene-format=png", "--scene-ratio=2", f"--scene-path={folder}"]
            command += ["--scene-prefix=f", "--rate=4", "--play-and-exit", "--avcodec-hw=none", "--no-metadata-network-access"]
            _play([*command, f"--start-time={start}", str(copy), "vlc://quit"], folder)
            yield from _pictures(folder, str(start))


def mpv(path: str) -> Frames:
    """The frames of mpv."""
    with _folder(path) as (copy, folder):
        for start in (0, LATER):
            command = ["mpv", "--no-config", "--really-quiet", "--no-audio", "--untimed", "--ytdl=no", "--load-scripts=no"]
            command += ["--vo=image", "--vo-image-format=png", "--vo-image-png-compression=1", f"--vo-image-outdir={folder}"]
            _play([*command, f"--start={start}", "--frames=40", "--", str(copy)], folder)
            yield from _pictures(folder, str(start))


def gstreamer(path: str) -> Frames:
    """The frames of GStreamer's `decodebin`, which picks the demuxer by the content."""
    with _folder(path) as (copy, folder):
        made = folder / "frames.ppm"
        command = ["gst-launch-1.0", "-q", "filesrc", f"location={copy}", "!", "decodebin", "!", "videoconvert", "!"]
        command += ["video/x-raw,format=RGB", "!", "pnmenc", "!", "filesink", f"location={made}"]
        _play(command, folder)
        if made.exists():
            for number, pixels in enumerate(pictures(made.read_bytes())):
                yield str(number), pixels
