# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""PNG files: kinds of samples, colour chunks and their order, interlacing, transparency, and what follows the end."""

import struct
import zlib

import numpy as np
from PIL import Image

from . import colour, exif, samples
from .content import Content, treated
from .draw import Draw

SIGNATURE = b"\x89PNG\r\n\x1a\n"
KINDS = (
    "RGB 8",
    "RGB 16",
    "RGB 16 low byte",
    "RGBA 8",
    "RGBA 16",
    "grey 1",
    "grey 2",
    "grey 4",
    "grey 8",
    "grey 16",
    "grey alpha 8",
    "grey alpha 16",
    "palette 1",
    "palette 2",
    "palette 4",
    "palette 8",
)
COLOUR_TYPES = {"RGB": 2, "RGBA": 6, "grey": 0, "grey alpha": 4, "palette": 3}
GAMMA = {
    "gAMA ordinary": 45455,
    "gAMA steep dark": 600,
    "gAMA steep light": 600000,
    "gAMA 0": 0,
    "gAMA 1": 1,
    "gAMA linear": 100000,
    "gAMA largest": 0xFFFFFFFF,
}
CICP = {
    "cICP sRGB": (1, 13, 0, 1),
    "cICP P3": (12, 13, 0, 1),
    "cICP linear": (1, 8, 0, 1),
    "cICP PQ": (9, 16, 0, 1),
    "cICP HLG": (9, 18, 0, 1),
    "cICP limited range": (1, 13, 0, 0),
    "cICP with a matrix": (1, 13, 1, 1),
}
COLOURS = (
    "profile",
    *GAMMA,
    *CICP,
    "sRGB",
    "sRGB and steep gAMA",
    "profile and steep gAMA",
    "cHRM swapped",
    "cHRM impossible",
    "gAMA twice",
    "gAMA behind the data",
    "steep gAMA and cICP sRGB",
)
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk with its length and check sum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def header(width: int, height: int, depth: int, colour_type: int, interlaced: bool = False) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, interlaced))


def _bytes(pixels: np.ndarray, depth: int) -> np.ndarray:
    """Rows of bytes as PNG stores them."""
    if depth < 8:
        return samples.packed(pixels, depth)
    rows = pixels.reshape(pixels.shape[0], -1)
    return rows.astype(">u2").view(np.uint8).reshape(rows.shape[0], -1) if depth == 16 else rows.astype(np.uint8)


def _filtered(rows: np.ndarray, step: int, kind: str) -> bytes:
    count = {"none": 0, "sub": 1, "up": 2}[kind]
    changed = rows.copy()
    if kind == "sub":
        changed[:, step:] -= rows[:, :-step]
    elif kind == "up":
        changed[1:] -= rows[:-1]
    return np.concatenate([np.full((rows.shape[0], 1), count, np.uint8), changed], 1).tobytes()


def data(pixels: np.ndarray, depth: int, interlaced: bool = False, kind: str = "none") -> bytes:
    """The compressed data of a picture, height x width (x channels)."""
    step = max(1, (pixels.shape[2] if pixels.ndim == 3 else 1) * depth // 8)
    parts = [pixels]
    if interlaced:
        parts = [pixels[y::down, x::across] for x, y, across, down in PASSES]
    return zlib.compress(b"".join(_filtered(_bytes(part, depth), step, kind) for part in parts if part.size), 3)


def _colour(draw: Draw, is_grey: bool) -> tuple[list[bytes], list[bytes], str]:
    """The chunks before and behind the data that say how to read colours, and a treatment that fits."""
    kind = draw.choose("PNG colour", COLOURS, 0.25)
    gamma = {name: chunk(b"gAMA", struct.pack(">I", value)) for name, value in GAMMA.items()}
    cicp = {name: chunk(b"cICP", bytes(values)) for name, values in CICP.items()}
    dark, light = gamma["gAMA steep dark"], gamma["gAMA steep light"]
    faint = {
        "gAMA steep dark": "faint light",
        "gAMA steep light": "faint dark",
        "cICP linear": "faint dark",
        "gAMA 1": "faint light",
    }
    if kind == "profile":
        icc, treatment = colour.choose(draw)
        return [iccp(icc)] if icc else [], [], treatment
    if kind in gamma or kind in cicp:
        options: tuple[str, ...] = ("whole",)
        if kind in faint:
            options = (faint[kind], faint[kind].replace("faint", "dithered"))
        return [gamma.get(kind) or cicp[kind]], [], draw.choose(f"treatment for {kind}", options)
    treatment = draw.choose(f"treatment for {kind}", ("faint light", "whole", "dithered light"))
    swapped = struct.pack(">8I", 31270, 32900, 15000, 6000, 64000, 33000, 30000, 60000)
    return {
        "sRGB": ([chunk(b"sRGB", b"\0")], []),
        "sRGB and steep gAMA": ([chunk(b"sRGB", b"\0"), dark], []),
        "profile and steep gAMA": ([dark, iccp(colour.profile("sRGB"))], []),
        "cHRM swapped": ([chunk(b"cHRM", swapped), gamma["gAMA ordinary"]], []),
        "cHRM impossible": ([chunk(b"cHRM", bytes(32)), gamma["gAMA ordinary"]], []),
        "gAMA twice": ([gamma["gAMA ordinary"], dark], []),
        "gAMA behind the data": ([], [dark]),
        "steep gAMA and cICP sRGB": ([light if treatment == "whole" else dark, cicp["cICP sRGB"]], []),
    }[kind] + (treatment,)


def iccp(icc: bytes) -> bytes:
    return chunk(b"iCCP", b"test\0\0" + zlib.compress(icc))


def _pixels(
    draw: Draw, content: Content, subject: Image.Image, ordinary: float
) -> tuple[np.ndarray, int, int, list[bytes]]:
    """The pixels, depth, colour type, and chunks of palette and transparency; `ordinary` is the share of RGB."""
    kind = draw.choose("PNG samples", KINDS, ordinary)
    family, depth = kind.removesuffix(" low byte").rsplit(" ", 1)
    bits = int(depth)
    low, chunks = kind.endswith("low byte"), []
    if family in ("RGBA", "grey alpha"):
        colours, alpha = samples.alpha(draw, content, subject)
        if family == "grey alpha":
            colours = np.asarray(Image.fromarray(colours).convert("L"))[..., None]
        pixels = samples.deepened(np.concatenate([colours, alpha[..., None]], 2), bits)
    elif family == "palette":
        pixels, table = samples.palette(subject, bits)
        chunks.append(chunk(b"PLTE", table))
        transparency = draw.choose("PNG tRNS of a palette", ("none", "all 0", "half", "too long"), 0.4)
        count = {"all 0": 2**bits, "half": 2**bits, "too long": 256 * 2}.get(transparency)
        if count:
            chunks.append(chunk(b"tRNS", (b"\x80" if transparency == "half" else b"\0") * count))
    else:
        pixels = np.asarray(subject) if family == "RGB" else samples.grey(subject, min(bits, 8))
        pixels = samples.deepened(pixels, max(bits, 8), low)
        transparency = draw.choose("PNG tRNS key", ("none", "first pixel", "black", "white"), 0.75)
        if transparency != "none":
            first = np.atleast_1d(pixels[0, 0]).astype(np.uint16)
            key = {"first pixel": first, "black": first * 0, "white": first * 0 + (2**bits - 1)}[transparency]
            chunks.append(chunk(b"tRNS", key.astype(">u2").tobytes()))
    return pixels, bits, COLOUR_TYPES[family], chunks


def still(draw: Draw, content: Content) -> bytes:
    """A PNG file with one picture."""
    before, behind, treatment = _colour(draw, False)
    subject = treated(content.subject, treatment)
    pixels, depth, colour_type, transparency = _pixels(draw, content, subject, 0.15 if treatment == "whole" else 0.7)
    interlaced = draw.flag("PNG interlaced", 0.2)
    packed = data(pixels, depth, interlaced, draw.choose("PNG filter", ("none", "sub", "up")))
    others: list[bytes] = []
    block = exif.choose(draw, content.cover)
    if block:
        (behind if draw.flag("PNG eXIf behind the data", 0.3) else others).append(chunk(b"eXIf", block))
    extra = draw.choose("PNG other chunk", ("none", "bKGD", "sBIT", "pHYs", "unknown", "iTXt", "acTL alone"), 0.6)
    if extra != "none":
        channels = 1 if colour_type in (0, 4) else 3
        others.append(
            chunk(
                extra[:4].encode() if extra != "unknown" else b"teSt",
                {
                    "bKGD": b"\0" if colour_type == 3 else bytes(2 * channels),
                    "pHYs": struct.pack(">IIB", 1, 2000, 1),
                    "sBIT": bytes([min(depth, 8)]) * {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}[colour_type],
                    "unknown": b"test",
                    "iTXt": b"Title\0\0\0\0\0test",
                    "acTL alone": struct.pack(">II", 3, 0),
                }[extra],
            )
        )
    palette, rest = [each for each in transparency if each[4:8] == b"PLTE"], [
        each for each in transparency if each[4:8] != b"PLTE"
    ]
    order = draw.choose("PNG order", ("usual", "colour behind the palette", "palette behind the data"), 0.85)
    if order == "colour behind the palette":
        middle = [*palette, *before, *rest, *others]
    else:
        middle = [*before, *palette, *rest, *others]
    if order == "palette behind the data" and palette:
        middle, behind = [*before, *others], [*transparency, *behind]
    pieces = draw.choose("PNG data in", ("one piece", "pieces", "empty pieces"), 0.7)
    size = len(packed) if pieces == "one piece" else 997
    idat = [chunk(b"IDAT", packed[at : at + size]) for at in range(0, len(packed), size)]
    if pieces == "empty pieces":
        idat = [chunk(b"IDAT", b""), *idat, chunk(b"IDAT", b"")]
    if draw.flag("PNG header twice", 0.04):
        middle.append(header(subject.width // 2, subject.height, depth, colour_type))
    return b"".join(
        [
            SIGNATURE,
            header(pixels.shape[1], pixels.shape[0], depth, colour_type, interlaced),
            *middle,
            *idat,
            *behind,
            chunk(b"IEND", b""),
        ]
    )
