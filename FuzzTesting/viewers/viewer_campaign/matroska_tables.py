# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Matroska files in which a description or index stands twice, and one of both leads to another film."""

from .draw import Draw
from .pairs import BEFORE, BEHIND, INSTEAD, PLACES, named, place, settled
from .trees import FORMATS, Node

ENTRY = "Segment/Tracks/TrackEntry"
SEEK = "Segment/SeekHead/Seek"
TABLES = (
    "Segment/Cues", "Segment/Cues", SEEK, "Segment/Tracks",
    *(f"{ENTRY}/{name}" for name in ("TrackNumber", "TrackType", "CodecID")),
)  # fmt: skip
IN_FRAME, SKIPPED_BEFORE, SKIPPED_BEHIND = "behind a frame", "skipped, before", "skipped, behind"
# What a program that does not show a track takes it for.
TYPES = {"nothing": b"\0", "sound": b"\2", "logo": b"\x10", "subtitles": b"\x11", "buttons": b"\x12", "control": b"\x20"}
CODECS = {"subtitles": b"S_TEXT/UTF8", "sound": b"A_VORBIS", "unknown": b"V_UNKNOWN"}
POSITION = b"\xf1"
# The bytes of a cluster's identifier and size, and those by which it is found.
HEADER, START = 12, 112


def _plain(tree: Node) -> Node:
    """The tree without its index, and without checksums, which a change would make wrong."""
    made = tree.copy()
    for _, parent, node in list(made.walk()):
        if node.name in ("CRC-32", "SeekHead", "Cues", "Void") and parent.children is not None:
            parent.children = [each for each in parent.children if each is not node]
    return made


def _cues(tree: Node, places: list[int]) -> Node:
    """The index of a film, whose clusters have these places in the segment."""
    made = named(tree, "Cues").copy()
    made.children = [each for each in made.children or [] if each.name != "CRC-32"]
    found = [node for _, _, node in made.walk() if node.identifier == POSITION]
    known = sorted({int.from_bytes(node.content, "big") for node in found})
    for node in found:
        at = known.index(int.from_bytes(node.content, "big"))
        node.content = (places[at] if at < len(places) else 0).to_bytes(8, "big")
    return made


def _seek(identifier: bytes, at: int) -> Node:
    parts = [Node("SeekID", b"\x53\xab", identifier), Node("SeekPosition", b"\x53\xac", max(0, at).to_bytes(8, "big"))]
    return Node("Seek", b"\x4d\xbb", b"", parts)


def _indexed(draw: Draw, container: str, codec: str, table: str, tree: Node, other: Node) -> Node:
    """A file with a second index, or a second entry of the list that leads to an index."""
    change = draw.choose("change", (INSTEAD, BEFORE, BEHIND))
    # Decoders of VP8 pass over what follows a frame in its block.
    kinds = (SKIPPED_BEFORE, SKIPPED_BEHIND, *((IN_FRAME, IN_FRAME) if codec == "vp8" else ()))
    data = draw.choose("other data", kinds)
    format = FORMATS[container]
    theirs = [node for _, _, node in _plain(other).walk() if node.name == "Cluster"]

    def make(written: bytes) -> Node:
        made = _plain(tree)
        segment = named(made, "Segment")
        assert segment.children is not None
        clusters = [node for node in segment.children if node.name == "Cluster"]
        start = written.find(segment.identifier) + len(segment.identifier) + 8

        def at(node: Node) -> int:
            # A cluster is found by its time and its first block, since other data may lie behind its last block.
            part = format.write(node) if node.name != "Cluster" else format.write(node)[HEADER:START]
            return max(0, written.find(part) - start - (HEADER if node.name == "Cluster" else 0))

        own, leading = _cues(tree, list(map(at, clusters))), _cues(other, list(map(at, theirs)))
        hidden = b"".join(map(format.write, theirs)) + (format.write(leading) if table == SEEK else b"")
        first = next(index for index, node in enumerate(segment.children) if node is clusters[0])
        if data == IN_FRAME:
            blocks = clusters[0].children or []
            blocks[-1].content += hidden
        else:
            segment.children.insert(first if data == SKIPPED_BEFORE else len(segment.children), format.filler(hidden))
        both = {INSTEAD: [leading], BEFORE: [leading, own]}.get(change, [own, leading])
        # A program that reads on from the start finds indexes before the clusters. No list leads to these.
        listed = both if table == SEEK else []
        at_start, at_end = ([], [own]) if listed else (both, [])
        segment.children = segment.children[:first] + at_start + segment.children[first:] + at_end
        parts = (named(made, "Info"), named(made, "Tracks"), *listed)
        seeks = [_seek(each.identifier, at(each)) for each in parts]
        segment.children.insert(0, Node("SeekHead", b"\x11\x4d\x9b\x74", b"", seeks))
        return made

    # Positions of clusters come into the index first, and that of the index into the list then.
    return settled(container, lambda written: make(format.write(make(written))))


def _described(draw: Draw, container: str, table: str, tree: Node, other: Node) -> Node:
    """A file with the blocks of both films, whose tracks have the numbers 1 and 2."""
    made, theirs = _plain(tree), _plain(other)
    change = draw.choose("change", PLACES)
    segment, tracks = named(made, "Segment"), named(made, "Tracks")
    entry, second = named(made, "TrackEntry"), named(theirs, "TrackEntry")
    for name in ("TrackNumber", "TrackUID"):
        named(second, name).content = b"\2"
    others = (node.content for _, _, node in theirs.walk() if node.name == "SimpleBlock")
    for _, cluster, block in [each for each in made.walk() if each[2].name == "SimpleBlock"]:
        assert cluster.children is not None
        at = next(index for index, each in enumerate(cluster.children) if each is block)
        # A block has the number of its track, its time in the cluster, flags, and the frame.
        double = Node(block.name, block.identifier, b"\x82" + block.content[1:4] + next(others)[4:])
        cluster.children.insert(at + 1, double)
    name = table.rsplit("/", 1)[1]
    if name == "TrackNumber":
        place(change, tracks, entry, [named(entry, name)], [named(second, name)])
    elif name == "Tracks":
        place(change, made, segment, [tracks], [named(theirs, name)])
    else:
        options = TYPES if name == "TrackType" else CODECS
        value = options[draw.choose("other value", tuple(options))]
        known = named(second, name)
        assert tracks.children is not None
        # Players show the first track with pictures.
        tracks.children.insert(0, second)
        place(change, tracks, second, [known], [Node(name, known.identifier, value)])
    return made


def matroska(draw: Draw, container: str, codec: str, tree: Node, other: Node) -> Node:
    """A file with a double of a description or an index."""
    table = draw.choose("structure", tuple(f"{container}: {each}" for each in TABLES)).removeprefix(f"{container}: ")
    if table in ("Segment/Cues", SEEK):
        return _indexed(draw, container, codec, table, tree, other)
    return _described(draw, container, table, tree, other)
