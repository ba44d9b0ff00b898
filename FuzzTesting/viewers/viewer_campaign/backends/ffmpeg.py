# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Frames of ffmpeg: of each video stream, as RGB, after its own rotation."""

import json
import subprocess

from . import MOST_FRAMES, Frames
from .pixmaps import pictures

SECONDS = 20


def _streams(path: str) -> int:
    """How many video streams ffmpeg sees."""
    listed = subprocess.run(
        ["ffprobe", "-v", "quiet", "-of", "json", "-show_entries", "stream=codec_type", path],
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    try:
        streams = json.loads(listed.stdout).get("streams", [])
    except ValueError:
        return 0
    return sum(stream.get("codec_type") == "video" for stream in streams)


def frames(path: str, rate: int = 4, most: int = 40) -> Frames:
    """The frames of the stream that ffmpeg chooses; of a video also those of all other streams, so many a second."""
    is_video = path.rsplit(".", 1)[-1] in ("mp4", "mov", "mkv", "webm", "avi", "ts", "flv", "ogg", "wmv", "mpg")
    streams = min(4, _streams(path)) if is_video else 1
    for stream in range(streams):
        chosen = ["-map", f"0:v:{stream}"] if streams > 1 else []
        pace = ["-r", str(rate)] if is_video else ["-vsync", "0"]
        count = most if is_video else MOST_FRAMES
        process = subprocess.run(
            [
                "ffmpeg",
                "-v",
                "quiet",
                "-nostdin",
                "-i",
                path,
                *chosen,
                *pace,
                # The usual conversion to RGB is up to four levels off, and model scores of some pictures move with that.
                "-sws_flags",
                "accurate_rnd+full_chroma_int",
                "-frames:v",
                str(count),
                "-c:v",
                "ppm",
                "-pix_fmt",
                "rgb24",
                "-f",
                "image2pipe",
                "-",
            ],
            stdout=subprocess.PIPE,
            timeout=SECONDS,
            check=False,
        )
        for number, pixels in enumerate(pictures(process.stdout)):
            yield f"{stream}:{number}" if streams > 1 else f"{number}", pixels
