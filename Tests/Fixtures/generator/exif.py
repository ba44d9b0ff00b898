# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""EXIF blocks."""

import struct


def orientation(value):
    """An EXIF block that says nothing but the orientation."""
    return b"Exif\0\0MM\0*" + struct.pack(">I H HHI HH I", 8, 1, 0x112, 3, 1, value, 0, 0)


def thumbnail(jpeg):
    """An EXIF block with a JPEG thumbnail in its second directory (IFD1)."""
    first = struct.pack(">H HHI HH I", 1, 0x112, 3, 1, 1, 0, 26)
    second = struct.pack(">H HHIHH HHII HHII I", 3, 0x103, 3, 1, 6, 0, 0x201, 4, 1, 26 + 42, 0x202, 4, 1, len(jpeg), 0)
    return b"Exif\0\0MM\0*" + struct.pack(">I", 8) + first + second + jpeg
