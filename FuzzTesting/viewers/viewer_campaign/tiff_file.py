# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Writing of TIFF and BigTIFF structures: directories, their values, and the chain between them."""

import struct
from dataclasses import dataclass, field

SHORT, LONG, LONG8 = 3, 4, 16
FORMATS = {1: "B", 2: "B", SHORT: "H", LONG: "I", 5: "II", 7: "B", LONG8: "Q", 13: "I"}


@dataclass
class Directory:
    """The entries of one directory: (tag, type, values); a list, since tags may repeat."""

    entries: list[tuple[int, int, list[int]]] = field(default_factory=list)

    def add(self, tag: int, kind: int, *values: int) -> "Directory":
        self.entries.append((tag, kind, list(values)))
        return self

    def add_bytes(self, tag: int, data: bytes) -> "Directory":
        self.entries.append((tag, 7, list(data)))
        return self


class File:
    """A file that grows: data first, then directories, each of which knows the place of the next."""

    def __init__(self, big_endian: bool, big: bool) -> None:
        self.end, self.big = ">" if big_endian else "<", big
        self.offset_format = self.end + ("Q" if big else "I")
        mark = b"MM" if big_endian else b"II"
        version = struct.pack(self.end + "HHH", 43, 8, 0) if big else struct.pack(self.end + "H", 42)
        self.body = bytearray(mark + version)
        # Where the offset of the next directory is to be written.
        self.link = len(self.body)
        self.body += bytes(8 if big else 4)

    def put(self, data: bytes) -> int:
        """Appends data, and returns its offset."""
        if len(self.body) % 2:
            self.body += b"\0"
        at = len(self.body)
        self.body += data
        return at

    def _value(self, kind: int, values: list[int]) -> bytes:
        return b"".join(
            struct.pack(self.end + FORMATS[kind], *((value, 1) if kind == 5 else (value,))) for value in values
        )

    def directory(self, directory: Directory, in_chain: bool = True, in_order: bool = True) -> int:
        """Appends a directory, and links it to the one before. Returns its offset."""
        entries = sorted(directory.entries, key=lambda entry: entry[0]) if in_order else directory.entries
        room = 8 if self.big else 4
        rows = b""
        for tag, kind, values in entries:
            data = bytes(values) if kind == 7 else self._value(kind, values)
            rows += struct.pack(self.end + ("HHQ" if self.big else "HHI"), tag, kind, len(values))
            rows += data.ljust(room, b"\0") if len(data) <= room else struct.pack(self.offset_format, self.put(data))
        at = self.put(struct.pack(self.end + ("Q" if self.big else "H"), len(entries)) + rows)
        if in_chain:
            self.point_to(at)
            self.link = len(self.body)
        self.body += bytes(room)
        return at

    def point_to(self, offset: int) -> None:
        """Makes the last directory point to an offset."""
        struct.pack_into(self.offset_format, self.body, self.link, offset)

    def many(self, directory: Directory, count: int) -> None:
        """Appends the same directory many times, all of whose values fit their entries."""
        if count <= 0:
            return
        first = self.directory(directory)
        row = bytes(self.body[first:])
        size = len(row)
        if count > 1:
            start = len(self.body) + len(self.body) % 2
            self.point_to(start)
            self.put(b"")
            width = 8 if self.big else 4
            rows = (
                row[:-width] + struct.pack(self.offset_format, start + (place + 1) * size) for place in range(count - 1)
            )
            self.body += b"".join(rows)
            self.link = len(self.body) - width
            self.point_to(0)
