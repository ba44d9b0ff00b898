# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Containers of video as trees of structures: MP4, Matroska, AVI, ASF, transport and program streams."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

FILE_HEAD = "file"


@dataclass
class Node:
    """A structure: its name, the bytes of its identifier, and its content or the structures in it.

    `fixed` stands before these structures, as the list's name does in AVI."""

    name: str
    identifier: bytes
    content: bytes = b""
    children: list["Node"] | None = None
    fixed: bytes = b""

    def copy(self) -> "Node":
        children = None if self.children is None else [child.copy() for child in self.children]
        return Node(self.name, self.identifier, self.content, children, self.fixed)

    def walk(self, path: str = "") -> Iterator[tuple[str, "Node", "Node"]]:
        """Each structure below this one: the path of its names, its parent, and itself."""
        for child in self.children or []:
            below = f"{path}/{child.name}" if path else child.name
            yield below, self, child
            yield from child.walk(below)


@dataclass
class Format:
    """How a container is read as a tree and written again, and where it has room for bytes that players skip."""

    read: Callable[[bytes], Node]
    write: Callable[[Node], bytes]
    # A structure that players pass over, which holds the bytes given.
    filler: Callable[[bytes], Node]
    options: list[str] = field(default_factory=list)


# MP4

BOXES = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"dinf", b"edts", b"udta", b"moof", b"traf", b"mvex", b"mfra"}


def _read_boxes(data: bytes) -> list[Node]:
    nodes, at = [], 0
    while at + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        size = len(data) - at if size == 0 else size
        if size < 8:
            break
        body = data[at + 8 : at + size]
        children = _read_boxes(body) if name in BOXES else None
        nodes.append(Node(name.decode("latin-1"), name, b"" if children is not None else body, children))
        at += size
    return nodes


def _write_boxes(node: Node) -> bytes:
    body = node.content if node.children is None else b"".join(map(_write_boxes, node.children))
    return body if node.name == FILE_HEAD else struct.pack(">I4s", len(body) + 8, node.identifier) + body


# Matroska

MASTERS = {
    "18538067": "Segment", "114d9b74": "SeekHead", "4dbb": "Seek", "1549a966": "Info", "1654ae6b": "Tracks",
    "ae": "TrackEntry", "e0": "Video", "6d80": "ContentEncodings", "6240": "ContentEncoding", "1f43b675": "Cluster",
    "a0": "BlockGroup", "1c53bb6b": "Cues", "bb": "CuePoint", "b7": "CueTrackPositions", "1254c367": "Tags",
    "1a45dfa3": "EBML",
}  # fmt: skip
ELEMENTS = {
    "d7": "TrackNumber", "73c5": "TrackUID", "83": "TrackType", "86": "CodecID", "63a2": "CodecPrivate",
    "b0": "PixelWidth", "ba": "PixelHeight", "a3": "SimpleBlock", "a1": "Block", "e7": "Timestamp", "ec": "Void",
    "bf": "CRC-32", "53ab": "SeekID", "53ac": "SeekPosition", "b3": "CueTime", "f7": "CueTrack",
    "f1": "CueClusterPosition", "2ad7b1": "TimestampScale", "4489": "Duration", "9b": "BlockDuration",
    "fb": "ReferenceBlock", "b9": "FlagEnabled", "88": "FlagDefault", "9c": "FlagLacing", "23e383": "DefaultDuration",
    "54b0": "DisplayWidth", "54ba": "DisplayHeight", "4282": "DocType", "4287": "DocTypeVersion",
}  # fmt: skip


def _length(data: bytes, at: int) -> int:
    """The bytes of a number whose first byte says its length."""
    return 9 - data[at].bit_length() if data[at] else 9


def _read_elements(data: bytes) -> list[Node]:
    nodes, at = [], 0
    while at + 2 <= len(data):
        width = _length(data, at)
        if width > 4 or at + width >= len(data):
            break
        identifier = data[at : at + width]
        at += width
        width = _length(data, at)
        size = int.from_bytes(data[at : at + width], "big") & ((1 << (7 * width)) - 1)
        unknown = size == (1 << (7 * width)) - 1
        at += width
        body = data[at:] if unknown else data[at : at + size]
        name = MASTERS.get(identifier.hex())
        children = _read_elements(body) if name else None
        other = ELEMENTS.get(identifier.hex(), identifier.hex())
        nodes.append(Node(name or other, identifier, b"" if name else body, children))
        at += len(body)
    return nodes


def _write_elements(node: Node) -> bytes:
    body = node.content if node.children is None else b"".join(map(_write_elements, node.children))
    if node.name == FILE_HEAD:
        return body
    size = len(body)
    width = 8 if node.children is not None else next(each for each in range(1, 9) if size < (1 << (7 * each)) - 1)
    return node.identifier + ((1 << (7 * width)) | size).to_bytes(width, "big") + body


# AVI


def _read_chunks(data: bytes) -> list[Node]:
    nodes, at = [], 0
    while at + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, at)
        body = data[at + 8 : at + 8 + size]
        if name in (b"RIFF", b"LIST"):
            kind = body[:4]
            nodes.append(Node(kind.decode("latin-1"), name, b"", _read_chunks(body[4:]), kind))
        else:
            nodes.append(Node(name.decode("latin-1"), name, body))
        at += 8 + size + (size & 1)
    return nodes


def _write_chunks(node: Node) -> bytes:
    body = node.content if node.children is None else node.fixed + b"".join(map(_write_chunks, node.children))
    if node.name == FILE_HEAD:
        return body
    return struct.pack("<4sI", node.identifier, len(body)) + body + bytes(len(body) & 1)


# ASF

OBJECTS = {
    "3026b2758e66cf11a6d900aa0062ce6c": "Header", "3626b2758e66cf11a6d900aa0062ce6c": "Data",
    "a1dcab8c47a9cf118ee400c00c205365": "FileProperties", "9107dcb7b7a9cf118ee600c00c205365": "StreamProperties",
    "b503bf5f2ea9cf118ee300c00c205365": "HeaderExtension", "90080033b1e5cf1189f400a0c90349cb": "SimpleIndex",
    "4052d1861d31d011a3a400a0c90348f6": "CodecList", "3326b2758e66cf11a6d900aa0062ce6c": "ContentDescription",
}  # fmt: skip


def _read_objects(data: bytes) -> list[Node]:
    nodes, at, packet = [], 0, 0
    while at + 24 <= len(data):
        size = struct.unpack_from("<Q", data, at + 16)[0]
        if size < 24:
            break
        identifier, body = data[at : at + 16], data[at + 24 : at + size]
        name = OBJECTS.get(identifier.hex(), identifier.hex()[:8])
        if name == "Header":
            node = Node(name, identifier, b"", _read_objects(body[6:]), body[:6])
            packet = next(struct.unpack_from("<I", each.content, 68)[0] for each in node.children or []
                          if each.name == "FileProperties")  # fmt: skip
        elif name == "Data" and packet:
            pieces = [body[place : place + packet] for place in range(26, len(body), packet)]
            node = Node(name, identifier, b"", [Node("packet", b"", each) for each in pieces], body[:26])
        else:
            node = Node(name, identifier, body)
        nodes.append(node)
        at += size
    return nodes


def _write_objects(node: Node) -> bytes:
    if node.name == "packet" and not node.identifier:
        return node.content
    fixed = node.fixed
    if node.name == "Header" and node.children is not None:
        fixed = struct.pack("<I", len(node.children)) + fixed[4:]
    body = node.content if node.children is None else fixed + b"".join(map(_write_objects, node.children))
    return body if node.name == FILE_HEAD else node.identifier + struct.pack("<Q", len(body) + 24) + body


# Transport streams

PACKET = 188


def _read_packets(data: bytes) -> list[Node]:
    nodes = []
    for at in range(0, len(data) - PACKET + 1, PACKET):
        packet = data[at : at + PACKET]
        number = (packet[1] & 0x1F) << 8 | packet[2]
        kind = {0: "programs", 17: "services", 0x1FFF: "padding"}.get(number)
        if kind is None:
            kind = "program map" if number == 0x1000 else "pictures, start" if packet[1] & 0x40 else "pictures"
        nodes.append(Node(kind, packet[:4], packet[4:]))
    return nodes


def _write_packets(node: Node) -> bytes:
    if node.name == FILE_HEAD:
        return b"".join(map(_write_packets, node.children or []))
    return (node.identifier + node.content)[:PACKET].ljust(PACKET, b"\xff")


def _padding(data: bytes) -> Node:
    """Null packets that hold the bytes."""
    pieces = [data[at : at + 184].ljust(184, b"\xff") for at in range(0, len(data), 184)]
    return Node("padding", b"", b"", [Node("padding", b"\x47\x1f\xff\x10", each) for each in pieces])


def _write_transport(node: Node) -> bytes:
    if node.children is not None and node.name != FILE_HEAD:
        return b"".join(map(_write_packets, node.children))
    if node.name == FILE_HEAD:
        return b"".join(map(_write_transport, node.children or []))
    return _write_packets(node)


# Program streams

PARTS = {0xBA: "pack", 0xBB: "system header", 0xBC: "map", 0xBE: "padding", 0xBF: "private", 0xB9: "end"}


def _read_parts(data: bytes) -> list[Node]:
    nodes, at = [], 0
    while at + 6 <= len(data) and data[at : at + 3] == b"\0\0\1":
        code = data[at + 3]
        if code == 0xBA:
            size = 12 if data[at + 4] >> 4 == 2 else 14 + (data[at + 13] & 7)
        elif code == 0xB9:
            size = 4
        else:
            size = 6 + struct.unpack_from(">H", data, at + 4)[0]
        nodes.append(Node(PARTS.get(code, "pictures"), data[at : at + 4], data[at + 4 : at + size]))
        at += size
    return nodes


def _write_parts(node: Node) -> bytes:
    if node.children is not None:
        return b"".join(map(_write_parts, node.children))
    if node.identifier[3:] in (b"\xba", b"\xb9"):
        return node.identifier + node.content
    # The length is that of the content, so that bytes that are put into a part belong to it.
    return node.identifier + struct.pack(">H", min(65535, max(0, len(node.content) - 2))) + node.content[2:]


def _private(data: bytes) -> Node:
    pieces = [data[at : at + 60000] for at in range(0, len(data), 60000)]
    return Node("padding", b"", b"", [Node("padding", b"\0\0\1\xbe", b"\0\0" + each) for each in pieces])


def _head(read: Callable[[bytes], list[Node]]) -> Callable[[bytes], Node]:
    return lambda data: Node(FILE_HEAD, b"", b"", read(data))


FORMATS = {
    "mp4": Format(_head(_read_boxes), _write_boxes, lambda data: Node("free", b"free", data)),
    "fragments": Format(
        _head(_read_boxes), _write_boxes, lambda data: Node("free", b"free", data),
        ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
    "mkv": Format(_head(_read_elements), _write_elements, lambda data: Node("Void", b"\xec", data)),
    "webm": Format(_head(_read_elements), _write_elements, lambda data: Node("Void", b"\xec", data)),
    "avi": Format(_head(_read_chunks), _write_chunks, lambda data: Node("JUNK", b"JUNK", data)),
    "asf": Format(
        _head(_read_objects), _write_objects,
        lambda data: Node("74d40618", bytes.fromhex("74d40618dfca0945a4ba9aabcb96aae8"), data)),
    "ts": Format(_head(_read_packets), _write_transport, _padding),
    "mpg": Format(_head(_read_parts), _write_parts, _private),
}  # fmt: skip
