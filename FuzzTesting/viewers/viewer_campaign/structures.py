# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Videos in which one structure of the container is there twice, stands elsewhere, or contradicts another.

The file is harmless, and a second file of the same kind shows the test pattern. Its structures come into the first
file, and its data into a place that players pass over. In some files, the frames of both are alike in number and size,
and a table stands beside its double, which leads to the frames of the second file."""

import struct
from collections.abc import Mapping

from . import avi_tables, clips, matroska_tables, movie_tables, pairs
from .clips import Track
from .content import Content, Library, scaled
from .draw import Draw
from .recipe import Generated
from .trees import FILE_HEAD, FORMATS, Format, Node

CODECS = {
    "mp4": ("h264", "mpeg4", "mjpeg"),
    "fragments": ("h264", "mpeg4"),
    "mkv": ("h264", "mpeg4", "mjpeg", "vp8"),
    "webm": ("vp8", "vp9"),
    "avi": ("mpeg4", "mjpeg", "h264"),
    "asf": ("wmv2", "wmv1"),
    "ts": ("h264", "mpeg2"),
    "mpg": ("mpeg1", "mpeg2"),
}
ENDINGS = {"fragments": "mp4", "asf": "wmv"}
MUXERS = {"fragments": "mp4", "mpg": "vob"}
SIZE = (320, 240)
SECONDS = 2
CHANGES = (
    "twice", "twice, the second at the end of its list", "other before", "other behind", "other instead",
    "other at the end of the file", "other at the start", "other elsewhere", "exchanged with the next", "moved elsewhere",
    "renamed", "named as another", "byte changed", "number changed", "cut short", "removed",
)  # fmt: skip
# The share of files with a double of a table. Containers that are named more often are drawn more often.
DOUBLES = 0.3
DOUBLED = ("mp4",) * 7 + ("avi",) * 6 + ("fragments",) * 2 + ("mkv",) * 3 + ("webm",) * 2
DATA = ("skipped, before", "skipped, behind", "nowhere", "behind the data")


_clips: dict[tuple[str, str, str, bool], bytes] = {}


def clip(library: Library, container: str, codec: str, subject: str, has_key_frames: bool = False) -> bytes:
    """A file that shows the cover or the pattern all the time, where wanted in key frames only."""
    known = _clips.get((container, codec, subject, has_key_frames))
    if known:
        return known
    pictures = Content("pattern", scaled(library.pattern, SIZE), scaled(library.pattern, SIZE).point(lambda _: 120))
    place = {"cover": "nowhere", "pattern": "whole"}[subject]
    options = FORMATS[container].options
    track = Track(clips.timeline(pictures, place, SECONDS), codec)
    if has_key_frames:
        track.options = list(pairs.KEY_FRAMES)
        options = [*options, *pairs.OPTIONS.get(container, ())]
    made = clips.packed([track], MUXERS.get(container, container), options)
    return _clips.setdefault((container, codec, subject, has_key_frames), made)


def _shifted(node: Node, container: str, distance: int) -> None:
    """Moves the positions of data in the structures of a file by a distance."""
    if container == "mp4":
        for _, _, each in node.walk():
            if each.name == "stco":
                count = struct.unpack_from(">I", each.content, 4)[0]
                places = [place + distance for place in struct.unpack_from(f">{count}I", each.content, 8)]
                each.content = each.content[:8] + struct.pack(f">{count}I", *(place & 0xFFFFFFFF for place in places))
    if container == "avi":
        for _, _, each in node.walk():
            if each.name == "idx1":
                rows = [list(struct.unpack_from("<4sIII", each.content, at)) for at in range(0, len(each.content), 16)]
                each.content = b"".join(struct.pack("<4sIII", *row[:2], row[2] + distance, row[3]) for row in rows)


def _holder(tree: Node, container: str) -> tuple[Node, int]:
    """The structure among whose parts data is skipped, and the place of the data in it."""
    name = {"mkv": "Segment", "webm": "Segment", "avi": "movi"}.get(container)
    data = {"mkv": "Cluster", "webm": "Cluster", "mp4": "mdat", "fragments": "moof", "asf": "Data"}.get(container)
    holder = tree
    if name:
        holder = next((node for _, _, node in tree.walk() if node.name == name), tree)
    parts = holder.children or []
    place = next((index for index, part in enumerate(parts) if part.name == data), len(parts) // 3)
    return holder, place


def _add_data(draw: Draw, container: str, format: Format, tree: Node, other: Node) -> None:
    """Puts the data of the other file into a place that players pass over, and corrects the positions of the data."""
    kind = draw.choose("other data", DATA)
    holder, place = _holder(tree, container)
    source, _ = _holder(other, container)
    if kind == "nowhere" or holder.children is None or source.children is None:
        return
    names = {"mp4": ("mdat",), "fragments": ("moof", "mdat"), "mkv": ("Cluster",), "webm": ("Cluster",)}.get(container)
    parts = [each for each in source.children if names is None or each.name in names]
    whole = b"".join(map(format.write, parts))
    filler = format.filler(whole)
    at = place if kind == "skipped, before" else len(holder.children)
    if kind == "behind the data":
        # In MP4 a second box of data is as plain as a skipped one.
        filler = Node("mdat", b"mdat", whole) if container in ("mp4", "fragments") else filler
    before = format.write(tree)
    known = before.find(whole[:4096]) if container == "mp4" else 0
    mine = next((format.write(each) for each in holder.children if each.name == "mdat"), b"")
    first = before.find(mine) if mine else 0
    holder.children.insert(at, filler)
    after = format.write(tree)
    if container == "mp4":
        _shifted(tree, container, after.find(mine) - first)
        _shifted(other, container, after.find(whole) - format.write(other).find(whole) if known < 0 else 0)
    elif container == "avi":
        movi = after.find(b"movi")
        theirs = format.write(other)
        _shifted(other, container, (after.find(whole) - movi) - (theirs.find(whole) - theirs.find(b"movi")))


def _choose(draw: Draw, container: str, tree: Node, other: Node) -> tuple[str, Node, Node, Node]:
    """A structure of the file, with its path and parent, and the same structure of the other file."""
    nodes: dict[str, list[tuple[Node, Node]]] = {}
    for path, parent, node in tree.walk():
        nodes.setdefault(f"{container}: {path}", []).append((parent, node))
    path = draw.choose("structure", sorted(nodes))
    which = draw.number("which", 0, 7)
    same = nodes[path]
    parent, node = same[min(which, len(same) - 1) if which < 4 else -1 - min(which - 4, len(same) - 1)]
    theirs = [each for their_path, _, each in other.walk() if f"{container}: {their_path}" == path]
    return path, parent, node, theirs[min(which, len(theirs) - 1)] if theirs else node


def _changed(draw: Draw, container: str, tree: Node, other: Node) -> None:
    """Changes one structure of the file."""
    _, parent, node, theirs = _choose(draw, container, tree, other)
    siblings = parent.children or []
    place = next(index for index, each in enumerate(siblings) if each is node)
    change = draw.choose("change", CHANGES)
    lists = [each for _, _, each in tree.walk() if each.children is not None and each is not node] + [tree]
    elsewhere = lists[draw.number("list", 0, len(lists) - 1)].children or []
    content = bytearray(node.content)
    at = draw.number("byte", 0, max(0, min(len(content), 64) - 1))
    if change == "twice":
        siblings.insert(place, node.copy())
    elif change == "twice, the second at the end of its list":
        siblings.append(node.copy())
    elif change == "other before":
        siblings.insert(place, theirs.copy())
    elif change == "other behind":
        siblings.insert(place + 1, theirs.copy())
    elif change == "other instead":
        siblings[place] = theirs.copy()
    elif change == "other at the end of the file":
        (tree.children or []).append(theirs.copy())
    elif change == "other at the start":
        (tree.children or []).insert(min(1, len(tree.children or [])), theirs.copy())
    elif change == "other elsewhere":
        elsewhere.insert(draw.number("place", 0, len(elsewhere)), theirs.copy())
    elif change == "exchanged with the next" and place + 1 < len(siblings):
        siblings[place], siblings[place + 1] = siblings[place + 1], siblings[place]
    elif change == "moved elsewhere":
        siblings.pop(place)
        elsewhere.insert(min(len(elsewhere), draw.number("place", 0, max(1, len(elsewhere)))), node)
    elif change == "renamed":
        node.identifier = node.identifier[:-1] + bytes([node.identifier[-1] ^ 1]) if node.identifier else b""
    elif change == "named as another":
        names = [each.identifier for _, _, each in tree.walk() if each.identifier]
        node.identifier = names[draw.number("name", 0, len(names) - 1)]
    elif change == "byte changed" and content:
        content[at] ^= 1 << draw.number("bit", 0, 7)
    elif change == "number changed" and content:
        content[at] = (0, 1, 2, 255, 128)[draw.number("value", 0, 4)]
    elif change == "cut short" and content:
        content = content[: len(content) - 1 - draw.number("less", 0, min(7, len(content) - 1))]
    elif change == "removed":
        siblings.pop(place)
    if node.children is None:
        node.content = bytes(content)


def _doubled(library: Library, draw: Draw) -> tuple[str, Node]:
    """The container and the tree of a harmless file with a double of a table, which leads to the pattern."""
    container = draw.choose("container", DOUBLED)
    # All viewers play H.264 in MP4.
    share = 0.8 if container in ("mp4", "fragments") else None
    codec = draw.choose(f"codec in {container}", CODECS[container], share)
    tree, other = (
        FORMATS[container].read(clip(library, container, codec, subject, True)) for subject in ("cover", "pattern")
    )
    if container in ("mkv", "webm"):
        return container, matroska_tables.matroska(draw, container, codec, tree, other)
    made = {"mp4": movie_tables.movie, "fragments": movie_tables.fragments, "avi": avi_tables.avi}[container]
    return container, made(draw, codec, tree, other)


def _file(index: int, container: str, tree: Node, draw: Draw) -> Generated:
    assert tree.name == FILE_HEAD
    name = f"s{index:06d}.{ENDINGS.get(container, container)}"
    return Generated(name, container.upper(), FORMATS[container].write(tree), draw)


def structured(library: Library, seed: int, index: int, forced: Mapping[str, str] | None = None) -> Generated:
    """The file of an index, with one or two changes of structures, or with a double of a table."""
    draw = Draw(seed, index + 2 * 10**8, forced)
    draw.choose("content", ("pattern",))
    if draw.flag("double of a table", DOUBLES):
        container, tree = _doubled(library, draw)
        return _file(index, container, tree, draw)
    container = draw.choose("container", tuple(CODECS))
    format = FORMATS[container]
    codec = draw.choose(f"codec in {container}", CODECS[container])
    # Sometimes the first file shows the pattern, so that the second hides it.
    order = ("cover", "pattern") if draw.choose("file", ("harmless", "with the pattern"), 0.85) == "harmless" else (
        "pattern", "cover")  # fmt: skip
    tree, other = (format.read(clip(library, container, codec, subject)) for subject in order)
    if draw.choose("index of Matroska", ("left out", "kept"), 0.5) == "left out":
        for _, parent, node in list(tree.walk()):
            if node.name in ("SeekHead", "Cues") and parent.children is not None:
                parent.children.remove(node)
    _add_data(draw, container, format, tree, other)
    _changed(draw, container, tree, other)
    # A first change may have left no structure for a second.
    if draw.flag("two changes", 0.3) and next(tree.walk(), None):
        again = Draw(seed, index + 3 * 10**8, {name[7:]: each for name, each in draw.forced.items() if name[:7] == "second "})
        _changed(again, container, tree, other)
        for name, option in again.choices.items():
            draw.choices[f"second {name}"], draw.plain[f"second {name}"] = option, again.plain[name]
    return _file(index, container, tree, draw)
