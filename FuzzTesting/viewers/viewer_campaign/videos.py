# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Video files: containers and codecs, tracks, times of the subject, and what containers say of tracks."""

from collections.abc import Mapping

from . import clips, content, jpeg, mp4, perturb
from .clips import Track
from .content import Content, Library
from .draw import Draw
from .recipe import Generated

CONTAINERS = ("mp4", "mov", "mkv", "webm", "avi", "ts", "flv", "ogg")
# So that 2,400 files use each feature a hundred times.
SHARES = (8.5, 4, 5, 2.5, 2.5, 5.5, 2.5, 3.6)
PERTURBED = 0.25
PLACES = ("whole", "second half", "first second", "last second", "middle second")
TRACKS = ("one", "subject first", "subject second", "subject second and default")


def _tracks(draw: Draw, container: str, pictures: Content) -> tuple[list[Track], list[str], int]:
    """The tracks, options for ffmpeg, and the number of the track with the subject."""
    codec = draw.choose(f"codec in {container}", clips.CODECS[container])
    place = draw.choose("subject shown", PLACES, 0.4)
    pixels, options = clips.sampling(draw, codec)
    if codec == "h264" and draw.flag("RGB clips in a video", 0.4):
        return [clips.clipping(pictures)], [], 0
    track = Track(clips.timeline(pictures, place), codec, pixels, options)
    kind = "one" if container in ("flv", "webm", "ogg") else draw.choose("tracks", TRACKS, 0.45)
    if kind == "one":
        return [track], [], 0
    cover = Track(clips.timeline(pictures, "nowhere"), codec, pixels)
    if kind == "subject first":
        return [track, cover], [], 0
    preferred = ["-disposition:v:0", "0", "-disposition:v:1", "default"] if kind.endswith("default") else []
    return [cover, track], preferred, 1


def _iso(draw: Draw, container: str, pictures: Content) -> bytes:
    tracks, options, number = _tracks(draw, container, pictures)
    layout = draw.choose("MP4 layout", ("index last", "index first", "fragments"), 0.75)
    flags = {"index first": "+faststart", "fragments": "frag_keyframe+empty_moov"}.get(layout)
    data = clips.packed(tracks, container, options + (["-movflags", flags] if flags else []))
    return mp4.edited(draw, data, number)


def _matroska(draw: Draw, container: str, pictures: Content) -> bytes:
    tracks, options, number = _tracks(draw, container, pictures)
    data = clips.packed(tracks, container, options)
    kind = draw.grouped(
        "Matroska track",
        {
            "usual": ("usual",),
            "other type": ("sound", "subtitles", "unknown type"),
            "other flags": ("disabled", "lacing flag"),
            "display size": ("display size 1",),
        },
        0.2,
    )
    # The track type and its value of one byte. The second track is that of the subject, where there are two.
    at = -1
    for _ in range(number + 1):
        at = data.find(b"\x83\x81\x01", at + 1)
    if at < 0 or kind == "usual":
        return data
    types = {"sound": 2, "subtitles": 17, "unknown type": 99}
    if kind in types:
        return data[: at + 2] + bytes([types[kind]]) + data[at + 3 :]
    flag = {"disabled": b"\xb9\x81\0", "lacing flag": b"\x9c\x81\1"}.get(kind)
    if flag:
        # In place of the flag that ffmpeg writes there; an element more would change sizes.
        place = data.find(b"\x9c\x81", max(0, at - 80))
        return data if place < 0 else data[:place] + flag + data[place + 3 :]
    place = data.find(b"\x54\xb0", at)
    return (
        data
        if place < 0
        else data[: place + 3]
        + bytes([0] * (data[place + 2] - 0x81))
        + b"\1"
        + data[place + 3 + data[place + 2] - 0x80 :]
    )


def _riff(draw: Draw, pictures: Content) -> bytes:
    tracks, options, number = _tracks(draw, "avi", pictures)
    data = clips.packed(tracks, "avi", options)
    kind = draw.grouped(
        "AVI stream", {"usual": ("usual",), "changed": ("sound", "text", "disabled", "unknown codec")}, 0.3
    )
    at = -1
    for _ in range(number + 1):
        at = data.find(b"strh", at + 1)
    # A header of 56 bytes: type, codec, flags.
    start = at + 8
    if kind in ("sound", "text"):
        return data[:start] + {"sound": b"auds", "text": b"txts"}[kind] + data[start + 4 :]
    if kind == "disabled":
        return data[: start + 8] + b"\1\0\0\0" + data[start + 12 :]
    return data[: start + 4] + b"XXXX" + data[start + 8 :] if kind == "unknown codec" else data


def _transport(draw: Draw, pictures: Content) -> bytes:
    kind = draw.grouped(
        "transport stream", {"usual": ("none",), "changes": ("codec", "size", "same codec", "second program")}, 0.35
    )
    if kind in ("none", "second program"):
        tracks, options, _ = _tracks(draw, "ts", pictures)
        if kind == "second program" and len(tracks) == 2:
            options += ["-program", "st=0", "-program", "st=1"]
        return clips.packed(tracks, "ts", options)
    first = draw.choose("codec in ts", clips.CODECS["ts"], 0.3)
    second = {"codec": "mpeg2" if first != "mpeg2" else "h264"}.get(kind, first)
    cover = Track(clips.timeline(pictures, "nowhere", 2), first)
    other = pictures.resized((pictures.size[0] // 4 * 2, pictures.size[1] // 4 * 2)) if kind == "size" else pictures
    subject = Track(clips.timeline(other, "whole", 2), second)
    # One file behind the other: both use the same packet identifiers.
    return clips.packed([cover], "ts") + clips.packed([subject], "ts")


def _flash(draw: Draw, pictures: Content) -> bytes:
    tracks, _, _ = _tracks(draw, "flv", pictures)
    data = clips.packed(tracks, "flv")
    kind = draw.grouped("FLV header", {"usual": ("usual",), "wrong": ("says sound only", "says nothing")}, 0.3)
    return data[:4] + {"usual": data[4:5], "says sound only": b"\4", "says nothing": b"\0"}[kind] + data[5:]


def _ogg(draw: Draw, pictures: Content) -> bytes:
    tracks, _, _ = _tracks(draw, "ogg", pictures)
    data = clips.packed(tracks, "ogg")
    if draw.choose("Ogg streams", ("one", "chained"), 0.5) == "chained":
        data = clips.packed([Track(clips.timeline(pictures, "nowhere", 1), "theora")], "ogg") + data
    return data


def video(library: Library, seed: int, index: int, forced: Mapping[str, str] | None = None) -> Generated:
    """The video file of an index."""
    draw = Draw(seed, index + 10**8, forced)
    container = draw.source("container").choices(CONTAINERS, SHARES)[0]
    pictures = content.make(draw, library, (320, 240))
    # Codecs want even sides.
    pictures = pictures.resized((pictures.size[0] // 2 * 2, pictures.size[1] // 2 * 2))
    maker = {"avi": _riff, "ts": _transport, "flv": _flash, "ogg": _ogg}.get(container)
    if maker:
        data = maker(draw, pictures)
    elif container in ("mp4", "mov"):
        data = _iso(draw, container, pictures)
    else:
        data = _matroska(draw, container, pictures)
    appended = draw.choose("appended to a video", ("nothing", "a JPEG", "another video", "zeros"), 0.8)
    if appended == "another video":
        data += clips.packed([Track(clips.timeline(pictures, "whole", 1), "h264")], "mp4")
    data += {"a JPEG": lambda: jpeg.encoded(pictures.subject), "zeros": lambda: bytes(5000)}.get(appended, bytes)()
    return Generated(f"v{index:06d}.{container}", container.upper(), perturb.perturbed(draw, data, PERTURBED), draw)
