# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Two films whose frames can stand for each other: as many, of the same size, and all of them key frames.

A viewer that obeys a second table then reads the frames of the other film as well as its own."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

from .trees import FORMATS, Node

# Each frame is a key frame, and Matroska begins a cluster every half second at the latest.
KEY_FRAMES = ("-g", "1")
OPTIONS = {"mkv": ("-cluster_time_limit", "500"), "webm": ("-cluster_time_limit", "500")}
# The places of the other table. Those that are named more often are drawn more often.
BEFORE, BEHIND, OUTSIDE = "other table before", "other table behind", "other table outside"
INSTEAD = "other table instead"
OWN_BEFORE, OWN_BEHIND = "own table outside, before", "own table outside, behind"
PLACES = (BEFORE, BEHIND, BEFORE, BEHIND, BEFORE, BEHIND, OUTSIDE, OWN_BEFORE, OWN_BEHIND)
# The least bytes that are added to a frame, and the most of one comment of a JPEG file.
ROOM, MOST_COMMENT = 16, 60_000


@dataclass
class Pair:
    """The frames of a film, and those of the other."""

    own: list[bytes]
    others: list[bytes]

    @property
    def size(self) -> int:
        return len(self.own[0])

    @property
    def count(self) -> int:
        return len(self.own)


def named(tree: Node, name: str) -> Node:
    """The first structure of a name."""
    return next(node for _, _, node in tree.walk() if node.name == name)


def _movie_frames(tree: Node) -> list[bytes]:
    """The frames of an MP4 file that ffmpeg made: all of them lie in one chunk, one after the other."""
    sizes = named(tree, "stsz").content
    same, count = struct.unpack_from(">II", sizes, 4)
    frames, at = [], 0
    for size in [same] * count if same else struct.unpack_from(f">{count}I", sizes, 12):
        frames.append(named(tree, "mdat").content[at : at + size])
        at += size
    return frames


def _frames(container: str, tree: Node) -> list[bytes]:
    if container == "mp4":
        return _movie_frames(tree)
    name = {"fragments": "mdat", "avi": "00dc"}[container]
    return [node.content for _, _, node in tree.walk() if node.name == name]


def _comments(count: int) -> bytes:
    """Comments of a JPEG file that have so many bytes together."""
    first = count if count <= MOST_COMMENT else MOST_COMMENT // 2
    rest = _comments(count - first) if count > first else b""
    return b"\xff\xfe" + struct.pack(">H", first - 2) + bytes(first - 4) + rest


def padded(container: str, codec: str, frame: bytes, size: int) -> bytes:
    """The frame with bytes that show nothing, so that it has a size."""
    left = size - len(frame)
    if codec == "mjpeg":
        return frame[:2] + _comments(left) + frame[2:]
    if codec == "mpeg4":
        # User data behind the picture.
        return frame + b"\0\0\1\xb2" + b"\x7f" * (left - 4)
    # A unit of filler data, behind a start code or its length.
    unit = b"\x0c" + b"\xff" * (left - 6) + b"\x80"
    return frame + (b"\0\0\0\1" if container == "avi" else struct.pack(">I", len(unit))) + unit


def pair(container: str, codec: str, tree: Node, other: Node) -> Pair:
    """The frames of both films, all of the same size."""
    both = [_frames(container, each) for each in (tree, other)]
    count, size = min(map(len, both)), max(len(frame) for frames in both for frame in frames) + ROOM
    return Pair(*([padded(container, codec, frame, size) for frame in frames[:count]] for frames in both))


def settled(container: str, make: Callable[[bytes], Node]) -> Node:
    """The tree whose tables name the places that its data have. `make` finds these places in an earlier writing."""
    write = FORMATS[container].write
    return make(write(make(b"")))


def place(change: str, outer: Node, inner: Node, own: list[Node], others: list[Node]) -> None:
    """Puts the other tables beside the own tables, which stand in `inner`, or one of both into `outer`."""
    assert inner.children is not None and outer.children is not None
    first = next(index for index, each in enumerate(inner.children) if each is own[0])
    around = next(index for index, each in enumerate(outer.children) if each is inner)
    if change == BEFORE:
        inner.children[first:first] = others
    elif change == BEHIND:
        last = next(index for index, each in enumerate(inner.children) if each is own[-1])
        inner.children[last + 1 : last + 1] = others
    elif change == OUTSIDE:
        outer.children[around + 1 : around + 1] = others
    else:
        inner.children = [each for each in inner.children if not any(each is mine for mine in own)]
        inner.children[first:first] = others
        at = around if change == OWN_BEFORE else around + 1
        outer.children[at:at] = own
