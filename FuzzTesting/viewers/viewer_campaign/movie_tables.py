# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""MP4 files in which one table leads to the frames of a harmless film, and its double to those of another film."""

import struct
from collections.abc import Sequence

from .draw import Draw
from .pairs import PLACES, Pair, named, pair, place, settled
from .trees import Node

PATH = ("moov", "trak", "mdia", "minf", "stbl")
SAMPLES = "mp4: " + "/".join(PATH)
# A table that stands here more often is drawn more often.
TABLES = (
    *(f"{SAMPLES}/{name}" for name in ("stco", "stco", "stco", "stsz", "stsz", "stsz", "stsc", "stsc", "stsc", "co64")),
    f"{SAMPLES}/all tables", SAMPLES, "mp4: moov/trak/mdia/minf", "mp4: moov/trak/mdia",
)  # fmt: skip
FRAGMENT_HEADER = "fragments: moof/traf/tfhd"
TOGETHER, IN_DATA, SKIPPED = "behind the frames", "in a box of data", "in a box that is skipped"


def _full(name: str, *numbers: int, size: str = "I", count: int | None = None) -> Node:
    """A box with a version, flags, a count of entries, and their numbers."""
    entries = len(numbers) if count is None else count
    return Node(name, name.encode(), struct.pack(f">II{len(numbers)}{size}", 0, entries, *numbers))


def _sizes(sizes: Sequence[int]) -> Node:
    return Node("stsz", b"stsz", struct.pack(f">III{len(sizes)}I", 0, 0, len(sizes), *sizes))


def _runs(*counts: int) -> Node:
    """The numbers of frames in the first chunk, the second and so on; the last is that of all further ones."""
    numbers = [number for chunk, count in enumerate(counts) for number in (chunk + 1, count, 1)]
    return _full("stsc", *numbers, count=len(counts))


def _tables(name: str, frames: Pair, own: int, other: int) -> tuple[list[Node], list[Node]]:
    """The tables of the film, whose frames begin at `own`, and those that lead to the other film."""
    size, count = frames.size, frames.count
    sizes = _sizes([size] * count)
    if name == "stsz":
        # One chunk. By the second table, its first frame has all frames of the film in it.
        return [_runs(count), _full("stco", own), sizes], [_sizes([count * size, *[size] * (count - 1)])]
    if name == "stsc":
        # The second chunk begins with the last frame, and those of the other film follow.
        return [_full("stco", own, own + (count - 1) * size), sizes, _runs(count - 1, 1)], [_runs(1, count - 1)]
    each = [at * size for at in range(count)]
    tables = [_runs(1), sizes, _full("stco", *(own + at for at in each))]
    if name in ("stco", "co64"):
        return tables, [_full(name, *(other + at for at in each), size="Q" if name == "co64" else "I")]
    return tables, [_runs(count), sizes.copy(), _full("stco", other)]


def _with_data(made: Node, frames: Pair, kind: str, is_before: bool) -> None:
    """Puts the frames of both films into the file."""
    assert made.children is not None
    at = next(index for index, node in enumerate(made.children) if node.name == "mdat")
    others = b"".join(frames.others)
    made.children[at].content = b"".join(frames.own) + (others if kind == TOGETHER else b"")
    if kind != TOGETHER:
        name = b"mdat" if kind == IN_DATA else b"free"
        made.children.insert(at if is_before else at + 1, Node(name.decode(), name, others))


def _found(written: bytes, frames: Pair) -> tuple[int, int]:
    """The places of the frames of both films."""
    return max(0, written.find(b"".join(frames.own))), max(0, written.find(b"".join(frames.others)))


def movie(draw: Draw, codec: str, tree: Node, other: Node) -> Node:
    """An MP4 file with two tables, one for each film."""
    frames = pair("mp4", codec, tree, other)
    table = draw.choose("structure", TABLES)
    change = draw.choose("change", PLACES)
    name = table.rsplit("/", 1)[1]
    # Tables of sizes and of chunks lead to what follows the frames of the film.
    kinds = (TOGETHER,) if name in ("stsz", "stsc") else (TOGETHER, IN_DATA, SKIPPED)
    kind, is_before = draw.choose("other data", kinds), draw.number("side", 0, 1) == 0

    def make(written: bytes) -> Node:
        made = tree.copy()
        _with_data(made, frames, kind, is_before)
        own, others = _tables(name, frames, *_found(written, frames))
        nodes = [made, *(named(made, each) for each in PATH)]
        samples = nodes[-1]
        assert samples.children is not None
        samples.children = [each for each in samples.children if each.name not in ("stco", "stsc", "stsz")] + own
        if name not in PATH:
            doubled = {"stco" if each.name == "co64" else each.name for each in others}
            place(change, nodes[-2], samples, [each for each in own if each.name in doubled], others)
            return made
        at = PATH.index(name) + 1
        double = nodes[at].copy()
        inner = double if name == "stbl" else named(double, "stbl")
        assert inner.children is not None
        inner.children[-len(others) :] = others
        place(change, nodes[at - 2], nodes[at - 1], [nodes[at]], [double])
        return made

    return settled("mp4", make)


def _header(old: Node, size: int, base: int) -> Node:
    """The header of a track in a fragment: where its frames begin, and their time and size."""
    track, time = struct.unpack_from(">I", old.content, 4)[0], struct.unpack_from(">I", old.content, 8)[0]
    return Node("tfhd", b"tfhd", struct.pack(">IIQIII", 0x39, track, base, time, size, 0x0200_0000))


def fragments(draw: Draw, codec: str, tree: Node, other: Node) -> Node:
    """A file of one fragment with two headers, one for each film."""
    frames = pair("fragments", codec, tree, other)
    draw.choose("structure", (FRAGMENT_HEADER,))
    change = draw.choose("change", PLACES)
    kind, is_before = draw.choose("other data", (TOGETHER, IN_DATA, SKIPPED)), draw.number("side", 0, 1) == 0

    def make(written: bytes) -> Node:
        made = tree.copy()
        fragment, data = named(made, "moof"), named(made, "mdat")
        made.children = [node for node in made.children or [] if node.name not in ("moof", "mdat", "mfra")]
        made.children += [fragment, data]
        _with_data(made, frames, kind, is_before)
        part = named(fragment, "traf")
        own, other_header = (_header(named(part, "tfhd"), frames.size, at) for at in _found(written, frames))
        run = Node("trun", b"trun", struct.pack(">IIi", 1, frames.count, 0))
        part.children = [own, named(part, "tfdt"), run]
        place(change, fragment, part, [own], [other_header])
        return made

    return settled("fragments", make)
