# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""JPEG segments that encoders do not write."""

import struct


def segment(marker, data):
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def inserting(jpeg, new):
    """The file with segments put in behind the first one (JFIF)."""
    assert jpeg[2:4] == b"\xff\xe0"
    end = 4 + struct.unpack_from(">H", jpeg, 4)[0]
    return jpeg[:end] + new + jpeg[end:]


def icc(profile):
    """An ICC profile in one APP2 segment."""
    return segment(0xE2, b"ICC_PROFILE\0\1\1" + profile)


def with_second_picture(first, second):
    """A multi-picture file (CIPA DC-007): `second` follows `first` and is listed as a large thumbnail."""
    def index(first_size, second_offset):
        entries = struct.pack(">IIIHH", 0x20030000, first_size, 0, 0, 0)
        entries += struct.pack(">IIIHH", 0x00010001, len(second), second_offset, 0, 0)
        directory = struct.pack(">H", 3)
        directory += struct.pack(">HHI4s", 0xB000, 7, 4, b"0100")
        directory += struct.pack(">HHII", 0xB001, 4, 1, 2)
        directory += struct.pack(">HHII", 0xB002, 7, len(entries), 8 + 2 + 36 + 4)
        return segment(0xE2, b"MPF\0" + b"MM\0*" + struct.pack(">I", 8) + directory + bytes(4) + entries)

    size = len(inserting(first, index(0, 0)))
    jfif_end = 4 + struct.unpack_from(">H", first, 4)[0]
    # Offsets count from the byte-order mark of the index: marker, length and "MPF\0" come before it.
    return inserting(first, index(size, size - (jfif_end + 8))) + second
