# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Pictures in the format PPM, one behind the other."""

from collections.abc import Iterator

import numpy as np


def pictures(data: bytes) -> Iterator[np.ndarray]:
    """Each picture has a header of three lines, "P6", width and height, 255, and then its pixels."""
    rest = memoryview(data)
    while rest[:3] == b"P6\n":
        lines = bytes(rest[:64]).split(b"\n", 3)
        start = sum(map(len, lines[:3])) + 3
        width, height = map(int, lines[1].split())
        end = start + width * height * 3
        if len(rest) < end:
            return
        yield np.frombuffer(rest[start:end], np.uint8).reshape(height, width, 3)
        rest = rest[end:]
