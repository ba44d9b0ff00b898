# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Pictures that ffmpeg encodes, in pixel formats for which Pillow has no writer."""

import subprocess


def _output(given: list[str], data: bytes, codec: str, options: tuple[str, ...]) -> bytes:
    wanted = ["-c:v", codec, *options, "-f", "image2pipe", "-"]
    command = ["ffmpeg", "-v", "fatal", "-nostdin", *given, "-i", "-", *wanted]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def recoded(png: bytes, codec: str, *options: str) -> bytes:
    """The picture of a PNG file in another format, with its profile where the encoder of that format keeps it."""
    return _output(["-f", "png_pipe"], png, codec, options)


def still(raw: bytes, size: tuple[int, int], pixel_format: str, codec: str, *options: str) -> bytes:
    """One encoded picture of raw pixels; `options` are those of the codec."""
    return _output(["-f", "rawvideo", "-pix_fmt", pixel_format, "-s", f"{size[0]}x{size[1]}"], raw, codec, options)
