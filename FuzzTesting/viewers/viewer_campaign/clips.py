# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Video tracks of a cover and a subject, encoded and packed by ffmpeg."""

import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

from .content import Content, ordered
from .draw import Draw

RATE = 8
# Which codecs each container is used with.
CODECS = {
    "mp4": ("h264", "hevc", "mpeg4", "vp9", "av1"),
    "mov": ("h264", "hevc", "mjpeg", "mpeg4", "prores", "rawvideo"),
    "mkv": ("h264", "vp8", "vp9", "mpeg4", "hevc", "ffv1", "mjpeg"),
    "webm": ("vp8", "vp9"),
    "avi": ("mpeg4", "mjpeg", "h264"),
    "ts": ("h264", "mpeg2", "hevc"),
    "flv": ("h264", "flv1"),
    "ogg": ("theora",),
}
ENCODERS = {
    "h264": ["libx264", "-preset", "ultrafast", "-g", "8"],
    "mpeg4": ["mpeg4", "-q:v", "4", "-g", "8"],
    "hevc": ["libx265", "-preset", "ultrafast", "-g", "8", "-x265-params", "log-level=none:pools=none"],
    "vp8": ["libvpx", "-deadline", "realtime", "-cpu-used", "16", "-b:v", "1M"],
    "vp9": ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M"],
    "av1": ["libsvtav1", "-preset", "12"],
    "mjpeg": ["mjpeg", "-q:v", "4"],
    "mpeg2": ["mpeg2video", "-q:v", "4", "-g", "8"],
    "theora": ["libtheora", "-q:v", "7"],
    "flv1": ["flv1", "-q:v", "4"],
    "mpeg1": ["mpeg1video", "-q:v", "4", "-g", "8", "-strict", "unofficial"],
    "wmv1": ["wmv1", "-q:v", "4", "-g", "8"],
    "wmv2": ["wmv2", "-q:v", "4", "-g", "8"],
    "prores": ["prores_ks"],
    "ffv1": ["ffv1"],
    "rawvideo": ["rawvideo"],
}
PIXELS = {"mjpeg": "yuvj420p", "prores": "yuv422p10le", "rawvideo": "uyvy422"}
MUXERS = {"mkv": "matroska", "ts": "mpegts"}


@dataclass
class Track:
    """A video track: its frames, one after the other, and how they are encoded."""

    frames: list[Image.Image]
    codec: str
    pixels: str = "yuv420p"
    options: list[str] = field(default_factory=list)
    # Raw frames of 4:2:0, in place of pictures.
    raw: bytes = b""
    size: tuple[int, int] = (0, 0)


def timeline(content: Content, place: str, seconds: int = 3) -> list[Image.Image]:
    """The frames of a track whose subject is at a place."""
    frames = [content.cover] * (seconds * RATE)
    start, end = {
        "whole": (0, seconds),
        "second half": (seconds / 2, seconds),
        "first second": (0, 1),
        "last second": (seconds - 1, seconds),
        "middle second": (1, 2),
        "nowhere": (0, 0),
    }[place]
    for number in range(int(start * RATE), int(end * RATE)):
        frames[number] = content.subject
    return frames


def clipping(content: Content) -> Track:
    """A track whose planes Y, U and V have the same means everywhere; only the conversion to RGB shows the subject."""
    width, height = 1120, 840
    light = ordered(content.subject.resize((width // 4, height // 4))).repeat(2, 0).repeat(2, 1)
    rows, columns = np.indices(light.shape)
    chroma = np.where(light, 128, 128 + np.where((rows + columns) % 2 == 0, 90, -90)).astype(np.uint8).tobytes()
    frame = np.full((height, width), 215, np.uint8).tobytes() + chroma + chroma
    return Track([], "h264", raw=frame * RATE, size=(width, height), options=["-crf", "8"])


def _input(track: Track, path: Path) -> list[str]:
    if track.raw:
        path.write_bytes(track.raw)
        kind, size = "yuv420p", track.size
    else:
        known: dict[int, bytes] = {}
        size = (track.frames[0].width // 2 * 2, track.frames[0].height // 2 * 2)
        with path.open("wb") as file:
            for frame in track.frames:
                if id(frame) not in known:
                    known[id(frame)] = frame.crop((0, 0, *size)).tobytes()
                file.write(known[id(frame)])
        kind = "rgb24"
    return ["-f", "rawvideo", "-pix_fmt", kind, "-s", f"{size[0]}x{size[1]}", "-r", str(RATE), "-i", str(path)]


def packed(tracks: list[Track], container: str, options: list[str] | None = None) -> bytes:
    """The file of a container with these tracks."""
    with tempfile.TemporaryDirectory(prefix="viewer-clip-") as folder:
        inputs, outputs = [], []
        for number, track in enumerate(tracks):
            inputs += _input(track, Path(folder) / f"{number}.raw")
            pixels = PIXELS.get(track.codec, track.pixels)
            outputs += ["-map", f"{number}:v", f"-c:v:{number}", ENCODERS[track.codec][0]]
            outputs += ENCODERS[track.codec][1:] + [f"-pix_fmt:v:{number}", pixels] + track.options
        made = Path(folder) / "made"
        subprocess.run(
            [
                "ffmpeg",
                "-v",
                "error",
                "-nostdin",
                "-y",
                *inputs,
                *outputs,
                "-threads",
                "1",
                "-fflags",
                "+bitexact",
                "-flags:v",
                "+bitexact",
                *(options or []),
                "-f",
                MUXERS.get(container, container),
                str(made),
            ],
            check=True,
            timeout=60,
            stderr=subprocess.DEVNULL,
        )
        return made.read_bytes()


def sampling(draw: Draw, codec: str) -> tuple[str, list[str]]:
    """The format of pixels, and options that announce colours."""
    kinds = {
        "usual": ("yuv420p",),
        "more chroma": {"h264": ("yuv422p", "yuv444p"), "vp9": ("yuv444p",)}.get(codec, ()),
        "10 bits or whole range": {"h264": ("yuv420p10le", "yuvj420p"), "hevc": ("yuv420p10le",)}.get(codec, ()),
    }
    pixels = draw.grouped("video samples", {name: options for name, options in kinds.items() if options}, 0.4)
    colours = {
        "none": [],
        "BT.709": ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"],
        "PQ": ["-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084"],
        "linear": ["-color_trc", "linear"],
        "whole range": ["-color_range", "pc"],
    }
    return pixels, colours[draw.choose("video colours", tuple(colours), 0.6)]
