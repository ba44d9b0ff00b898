# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""WebP files: lossy and lossless, alpha, profiles, chunk order, and animations with counts around each bound."""

import io
import struct

import numpy as np
from PIL import Image

from . import colour, exif, ffmpeg, samples
from .content import MANY, MANY_SIZE, Content, ordered, treated
from .draw import Draw

COUNTS = {
    "two": (2,),
    "three": (3,),
    "some": (12, 99, 100, 101),
    "around 1,000": (999, 1000, 1001),
    "around 4,096": (4095, 4096, 4097),
    "around 10,000": (9998, 9999, 10000, 10001, 10100),
}


def chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def _three(value: int) -> bytes:
    return struct.pack("<I", value)[:3]


def _riff(*chunks: bytes) -> bytes:
    body = b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def picture_chunks(image: Image.Image, **options) -> list[bytes]:
    """The chunks ALPH, VP8 and VP8L of the encoded picture."""
    file = io.BytesIO()
    image.save(file, "WEBP", **({"method": 0} | options))
    data, at, found = file.getvalue(), 12, []
    while at < len(data):
        size = struct.unpack_from("<I", data, at + 4)[0]
        end = at + 8 + size + size % 2
        if data[at : at + 4] in (b"ALPH", b"VP8 ", b"VP8L"):
            found.append(data[at:end])
        at = end
    return found


def _clipping(subject: Image.Image) -> list[bytes]:
    """A lossy picture whose Y, U and V have the same means everywhere; only RGB clips in its dark parts."""
    width, height = 1120, 840
    light = ordered(subject.resize((width // 4, height // 4))).repeat(2, 0).repeat(2, 1)
    rows, columns = np.indices(light.shape)
    wave = np.where((rows + columns) % 2 == 0, 90, -90)
    chroma = np.where(light, 128, 128 + wave).astype(np.uint8).tobytes()
    raw = np.full((height, width), 215, np.uint8).tobytes() + chroma + chroma
    made = ffmpeg.still(raw, (width, height), "yuv420p", "libwebp", "-quality", "90", "-compression_level", "0")
    at = made.find(b"VP8 ")
    return [chunk(b"VP8 ", made[at + 8 : at + 8 + struct.unpack_from("<I", made, at + 4)[0]])]


def _animation(draw: Draw, content: Content) -> tuple[tuple[int, int], list[bytes]]:
    """The size of the canvas, and the chunks ANIM and ANMF of an animation."""
    count = draw.counted("WebP pictures", COUNTS, 0.1)
    if count > MANY:
        content = content.resized(MANY_SIZE)
    place = draw.choose("WebP subject", ("second", "last", "first", "beyond the canvas", "in small pictures"))
    duration = int(draw.choose("WebP duration", ("100", "0", "1", "60000"), 0.5))
    flags = int(draw.choose("WebP disposal and blending", ("2", "0", "1", "3"), 0.4))
    width, height = content.size

    def frame(chunks: list[bytes], size: tuple[int, int], at: tuple[int, int] = (0, 0)) -> bytes:
        head = _three(at[0] // 2) + _three(at[1] // 2) + _three(size[0] - 1) + _three(size[1] - 1) + _three(duration)
        return chunk(b"ANMF", head + bytes([flags]) + b"".join(chunks))

    small = Image.new("RGB", (1, 1), (120, 150, 120))
    cover = frame(picture_chunks(content.cover, quality=40), content.size)
    subject = frame(picture_chunks(content.subject, quality=80), content.size)
    frames = [cover] + [frame(picture_chunks(small, lossless=True), small.size)] * (count - 1)
    if place == "in small pictures":
        half = height // 4 * 2
        parts = [content.subject.crop((0, 0, width, half)), content.subject.crop((0, half, width, height))]
        frames[0:1] = [
            frame(picture_chunks(part, quality=80), part.size, (0, top)) for part, top in zip(parts, (0, half))
        ]
    elif place == "beyond the canvas":
        frames[-1] = frame(picture_chunks(content.subject, quality=80), content.size, (width // 2, 0))
    else:
        frames[{"second": 1, "last": -1, "first": 0}[place]] = subject
    return content.size, [chunk(b"ANIM", b"\xff\xff\xff\xff\0\0"), *frames]


def still(draw: Draw, content: Content) -> bytes:
    """A WebP file."""
    kind = draw.choose(
        "WebP kind",
        ("lossy", "lossless", "lossy with alpha", "lossless with alpha", *["animation"] * 3, "RGB clips"),
    )
    chunks: list[bytes] = []
    flags = 0
    icc, treatment = (None, "whole") if kind in ("RGB clips", "animation") else colour.choose(draw)
    subject = treated(content.subject, treatment)
    size = subject.size
    if kind == "RGB clips":
        picture, size = _clipping(subject), (1120, 840)
    elif kind == "animation":
        (size, picture), flags = _animation(draw, content), 2
    elif kind.endswith("alpha"):
        colours, fourth = samples.alpha(draw, content, subject)
        image = Image.fromarray(np.concatenate([colours, fourth[..., None]], 2))
        picture = picture_chunks(image, lossless=kind.startswith("lossless"), quality=85, exact=True)
        flags = 0 if draw.flag("WebP alpha flag missing", 0.2) else 16
    else:
        exact = kind == "lossless" or treatment != "whole"
        picture = picture_chunks(
            subject, lossless=exact, quality=int(draw.choose("WebP quality", ("85", "20", "100"), 0.6))
        )
    block = exif.choose(draw, content.cover)
    before: list[bytes] = []
    behind: list[bytes] = []
    if icc:
        flags |= 0 if draw.flag("WebP profile flag missing", 0.2) else 32
        (behind if draw.flag("WebP profile behind the picture", 0.2) else before).append(chunk(b"ICCP", icc))
        if draw.flag("WebP profile twice", 0.2):
            before.append(chunk(b"ICCP", colour.profile("sRGB")))
    if block:
        flags |= 8
        behind.append(chunk(b"EXIF", (b"Exif\0\0" if draw.flag("WebP EXIF with a prefix", 0.3) else b"") + block))
    more = draw.choose("WebP more", ("none", "unknown chunk", "second picture", "cut", "bytes behind the end"), 0.7)
    extended = flags or before or behind or draw.flag("WebP extended header", 0.4)
    if more == "unknown chunk":
        before.append(chunk(b"teSt", b"test"))
    if more == "second picture":
        # The first picture is the cover's: programs may take either.
        if kind in ("lossy", "lossless"):
            chunks = picture_chunks(
                content.cover.resize(size), lossless=bool(draw.number("first lossless", 0, 1)), quality=60
            )
    canvas = size
    if extended and kind != "animation":
        canvas = {"right": size, "half": (size[0] // 2, size[1] // 2), "1": (1, 1), "larger": (size[0] + 40, size[1])}[
            draw.choose("WebP canvas", ("right", "half", "1", "larger"), 0.6)
        ]
    head = chunk(b"VP8X", bytes([flags, 0, 0, 0]) + _three(canvas[0] - 1) + _three(canvas[1] - 1))
    file = _riff(*([head] if extended or flags else []), *before, *chunks, *picture, *behind)
    if more == "cut":
        file = file[: len(file) * 4 // 5]
    return file + (content_bytes(content) if more == "bytes behind the end" else b"")


def content_bytes(content: Content) -> bytes:
    """A whole WebP file of the subject."""
    file = io.BytesIO()
    content.subject.save(file, "WEBP", method=0)
    return file.getvalue()
