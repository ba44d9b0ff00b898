# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""AVI files whose index leads to the frames of another film, in chunks that a player passes over in their order."""

import struct

from .draw import Draw
from .pairs import BEFORE, BEHIND, INSTEAD, Pair, named, pair, settled
from .trees import FORMATS, Node

OLD, NEW = "avi: AVI /idx1", "avi: AVI /hdrl/strl/indx"
# The other table takes the place of the file's own, or stands beside it.
BESIDE = "other table beside idx1"
PLACES = {OLD: (INSTEAD, INSTEAD, BEFORE, BEHIND), NEW: (INSTEAD, BESIDE)}
FILLING, UNKNOWN, INSIDE = "filling chunks", "chunks of a stream without headers", "inside one filling chunk"
ALL, ALL_BUT_FIRST, BOTH = "of the other film", "of the other film behind the first", "of both films, one by one"
KEY_FRAME = 0x10
FRAME = b"00dc"
WRITE = FORMATS["avi"].write


def _old_index(places: list[int], size: int) -> Node:
    """An index of AVI 1.0, whose positions count from the name of the list of frames."""
    return Node("idx1", b"idx1", b"".join(struct.pack("<4sIII", FRAME, KEY_FRAME, at, size) for at in places))


def _new_index(places: list[int], size: int, start: int) -> Node:
    """An index of OpenDML, whose positions are those of the contents of chunks, and count from a start in the file."""
    head = struct.pack("<HBBI4sQI", 2, 0, 1, len(places), FRAME, start, 0)
    return Node("ix00", b"ix00", head + b"".join(struct.pack("<II", at + 8, size) for at in places))


def _laid(frames: Pair, kind: str) -> tuple[list[Node], list[int], list[int]]:
    """The chunks of both films, and the positions of each film's frames, from the name of the list of frames."""
    own, others = ([Node("00dc", FRAME, frame) for frame in each] for each in (frames.own, frames.others))
    step = len(WRITE(own[0]))
    each = [4 + step * number for number in range(frames.count)]
    if kind == INSIDE:
        filling = Node("JUNK", b"JUNK", b"".join(map(WRITE, others)))
        return [*own, filling], each, [at + 8 + step * frames.count for at in each]
    name = b"JUNK" if kind == FILLING else b"07dc"
    chunks = [chunk for mine, theirs in zip(own, others) for chunk in (mine, Node(name.decode(), name, theirs.content))]
    places = [4 + 2 * step * number for number in range(frames.count)]
    return chunks, places, [at + step for at in places]


def avi(draw: Draw, codec: str, tree: Node, other: Node) -> Node:
    """A file whose index, or one of its indexes, leads to the other film."""
    frames = pair("avi", codec, tree, other)
    table = draw.choose("structure", (OLD, NEW))
    change = draw.choose("change", PLACES[table])
    chunks, own, others = _laid(frames, draw.choose("other data", (FILLING, UNKNOWN, INSIDE)))
    leading = {
        ALL_BUT_FIRST: own[:1] + others[1:],
        ALL: others,
        BOTH: [at for both in zip(own, others) for at in both],
    }[draw.choose("entries of the other table", (ALL_BUT_FIRST, ALL_BUT_FIRST, ALL, BOTH))]
    honest, old = _old_index(own, frames.size), _old_index(leading, frames.size)

    def make(written: bytes) -> Node:
        made = tree.copy()
        movie, outer, stream = (named(made, name) for name in ("movi", "AVI ", "strl"))
        movie.children = list(chunks)
        outer.children = [each for each in outer.children or [] if each.name != "idx1"]
        if table == OLD:
            outer.children += {BEFORE: [old, honest], BEHIND: [honest, old]}.get(change, [old])
            return made
        start = max(0, written.find(b"movi"))
        index = _new_index(leading, frames.size, start)
        movie.children.append(index)
        # The index of indexes has one entry.
        above = struct.pack("<HBBI4sIII", 4, 0, 0, 1, FRAME, 0, 0, 0)
        above += struct.pack("<QII", max(0, written.find(b"ix00", start)), len(WRITE(index)), len(leading))
        stream.children = [each for each in stream.children or [] if each.name != "JUNK"]
        stream.children.append(Node("indx", b"indx", above))
        outer.children += [honest] if change == BESIDE else []
        return made

    return settled("avi", make)
