# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Boxes of the ISO base media format, to read and to write."""

import struct
from collections.abc import Iterator


def box(name: bytes, *contents: bytes) -> bytes:
    body = b"".join(contents)
    return struct.pack(">I4s", len(body) + 8, name) + body


def full(name: bytes, version: int, flags: int, *contents: bytes) -> bytes:
    return box(name, struct.pack(">I", version << 24 | flags), *contents)


def children(data: bytes, start: int = 0, end: int | None = None) -> Iterator[tuple[bytes, bytes]]:
    """The boxes in a piece of data: name, and the whole box."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, name = struct.unpack_from(">I4s", data, start)
        if size == 1:
            size = struct.unpack_from(">Q", data, start + 8)[0]
        if size == 0:
            size = end - start
        if size < 8:
            return
        yield name, data[start : start + size]
        start += size


def find(data: bytes, *path: bytes) -> bytes | None:
    """The content of the first box at a path; `meta` has four bytes before its boxes."""
    for name, whole in children(data):
        if name == path[0]:
            inner = whole[12:] if name == b"meta" else whole[8:]
            return inner if len(path) == 1 else find(inner, *path[1:])
    return None
