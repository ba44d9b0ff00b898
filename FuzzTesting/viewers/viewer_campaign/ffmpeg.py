# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Pictures that ffmpeg encodes, in pixel formats for which Pillow has no writer."""

import subprocess


def still(raw: bytes, size: tuple[int, int], pixel_format: str, codec: str, *options: str) -> bytes:
    """One encoded picture of raw pixels; `options` are those of the codec."""
    given = ["-f", "rawvideo", "-pix_fmt", pixel_format, "-s", f"{size[0]}x{size[1]}", "-i", "-"]
    wanted = ["-c:v", codec, *options, "-f", "image2pipe", "-"]
    command = ["ffmpeg", "-v", "error", "-nostdin", *given, *wanted]
    return subprocess.run(command, input=raw, stdout=subprocess.PIPE, check=True).stdout
