# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""TIFF and BigTIFF files: kinds of samples, extra samples, strips and tiles, and where in the file the subject is."""

import zlib

import numpy as np
from PIL import Image, ImageCms

from . import colour, jpeg, samples
from .content import Content, treated
from .draw import Draw
from .tiff_file import LONG, SHORT, Directory, File

KINDS = (
    "RGB 8",
    "RGB 16",
    "RGB float",
    "RGB 32",
    "grey 1",
    "grey 4",
    "grey 8",
    "grey 16",
    "grey float",
    "white is zero 8",
    "white is zero 1",
    "palette 4",
    "palette 8",
    "CMYK 8",
    "Lab 8",
    "Lab 16",
    "YCbCr 8",
    "JPEG",
)
PHOTOMETRIC = {"white is zero": 0, "grey": 1, "RGB": 2, "palette": 3, "CMYK": 5, "YCbCr": 6, "Lab": 8}
EXTRA = {
    "none": (0, None),
    "no tag": (1, None),
    "unspecified": (1, (0,)),
    "associated": (1, (1,)),
    "unassociated": (1, (2,)),
    "two unspecified": (2, (0, 0)),
    "unspecified and alpha": (2, (0, 2)),
    "impossible": (1, (9,)),
}
PAGES = {
    "one": (1,),
    "two": (2,),
    "three": (3,),
    "some": (12, 99, 100, 101),
    "around 1,000": (999, 1000, 1001),
    "around 4,096": (4094, 4095, 4096, 4097),
    "around 10,000": (9998, 9999, 10000, 10001, 10100),
    "around 65,536": (20000, 65534, 65535, 65536),
}
PLACES = (
    "only picture",
    "pages",
    "pages",
    "pages",
    "pages",
    "pages",
    "sub-directory",
    "reduced",
    "mask",
    "old subfile type",
    "EXIF directory",
    "loop",
    "sub-directory of the second page",
)
LAB = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB")


def _pixels(
    draw: Draw, content: Content, subject: Image.Image, ordinary: float
) -> tuple[np.ndarray, str, int, Directory]:
    """The samples of the picture, its family, its depth, and what the directory has to say of them."""
    kind = draw.choose("TIFF samples", KINDS, ordinary)
    tags = Directory()
    if kind == "JPEG":
        return np.asarray(subject), kind, 8, tags
    family, depth = kind.rsplit(" ", 1)
    extra, meanings = EXTRA[draw.choose("extra samples", tuple(EXTRA), 0.45)]
    colours, fourth = samples.alpha(draw, content, subject) if extra else (np.asarray(subject), None)
    image = Image.fromarray(colours)
    bits = {"float": 32}.get(depth) or int(depth)
    if family in ("grey", "white is zero"):
        pixels = samples.grey(image, min(bits, 8))[..., None]
        if family == "white is zero":
            pixels = (2 ** min(bits, 8) - 1) - pixels
    elif family == "palette":
        pixels, table = samples.palette(image, bits)
        pixels = pixels[..., None]
        tags.add(320, SHORT, *(value * 257 for channel in range(3) for value in table[channel::3]))
    elif family == "Lab":
        pixels = np.asarray(ImageCms.applyTransform(image, LAB)).copy()
        # TIFF counts a and b with a sign.
        pixels[..., 1:] ^= 0x80
    else:
        pixels = np.asarray(image.convert({"CMYK": "CMYK", "YCbCr": "YCbCr"}.get(family, "RGB")))
    if family == "YCbCr":
        tags.add(530, SHORT, 1, 1)
    if fourth is not None and bits >= 8:
        more = [fourth[..., None]] + [np.full_like(fourth, 255)[..., None]] * (extra - 1)
        pixels = np.concatenate([pixels, *more], 2)
        if meanings:
            tags.add(338, SHORT, *meanings)
    if depth == "float":
        return (pixels.astype(np.float32) / 255), family, 32, tags.add(339, SHORT, *[3] * pixels.shape[2])
    if bits == 32:
        return pixels.astype(np.uint32) * 0x01010101, family, 32, tags
    return samples.deepened(pixels, max(bits, 8)), family, bits, tags


def _packbits(data: bytes, row: int) -> bytes:
    """PackBits without any repetition, each row by itself."""
    parts = []
    for start in range(0, len(data), row):
        line = data[start : start + row]
        parts += [bytes([len(line[at : at + 128]) - 1]) + line[at : at + 128] for at in range(0, len(line), 128)]
    return b"".join(parts)


COMPRESSIONS = {
    "none": (1, lambda data, row: data),
    "deflate": (8, lambda data, row: zlib.compress(data, 2)),
    "old deflate": (32946, lambda data, row: zlib.compress(data, 2)),
    "PackBits": (32773, _packbits),
    # Not as the specification wants it.
    "PackBits across rows": (32773, lambda data, row: _packbits(data, len(data))),
}


def _blocks(draw: Draw, pixels: np.ndarray) -> tuple[list[np.ndarray], list[tuple[int, int]]]:
    """The picture in strips or tiles, and the tags (tag, value) that say so."""
    height, width = pixels.shape[:2]
    layout = draw.choose(
        "TIFF layout", ("one strip", "strips", "tiles", "strip larger than the picture", "no rows per strip"), 0.5
    )
    if layout == "tiles":
        across, down = 64, 48
        padded = np.zeros((-(-height // down) * down, -(-width // across) * across, pixels.shape[2]), pixels.dtype)
        padded[:height, :width] = pixels
        return [
            padded[y : y + down, x : x + across] for y in range(0, height, down) for x in range(0, width, across)
        ], [(322, across), (323, down)]
    rows = 17 if layout == "strips" else height
    tags = [] if layout == "no rows per strip" else [(278, 2**32 - 1 if layout.startswith("strip larger") else rows)]
    return [pixels[y : y + rows] for y in range(0, height, rows)], tags


def _coded(file: File, block: np.ndarray, bits: int, predicted: bool) -> bytes:
    if bits < 8:
        return samples.packed(block[..., 0], bits).tobytes()
    if predicted:
        block = block.copy()
        block[:, 1:] -= block[:, :-1].copy()
    return block.astype(np.dtype(file.end + block.dtype.str[1:])).tobytes()


def _picture(draw: Draw, file: File, content: Content) -> Directory:
    """Writes the subject's data, and returns its directory."""
    icc, treatment = colour.choose(draw, 0.6)
    ordinary = 0.25 if treatment == "whole" else 0.7
    pixels, family, bits, tags = _pixels(draw, content, treated(content.subject, treatment), ordinary)
    height, width, channels = pixels.shape
    if family == "JPEG":
        data = [jpeg.encoded(Image.fromarray(pixels), subsampling=0)]
        tags.add(259, SHORT, 7).add(262, SHORT, 6).add(278, LONG, height).add(530, SHORT, 1, 1)
    else:
        name = draw.choose("TIFF compression", tuple(COMPRESSIONS), 0.4)
        number, compress = COMPRESSIONS[name]
        whole = pixels.dtype.kind == "u" and bits >= 8
        predicted = whole and draw.flag("TIFF predictor", 0.2) and name in ("deflate", "old deflate")
        blocks, layout = _blocks(draw, pixels)
        planes = [slice(None)]
        if channels > 1 and draw.flag("TIFF planes", 0.15):
            planes = [slice(place, place + 1) for place in range(channels)]
        coded = [
            (_coded(file, block[..., plane], bits, predicted), block.shape[0]) for plane in planes for block in blocks
        ]
        data = [compress(each, max(1, len(each) // rows)) for each, rows in coded]
        if bits >= 8 and name == "none" and draw.flag("TIFF fill order 2", 0.13):
            table = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))
            data = [each.translate(table) for each in data]
            tags.add(266, SHORT, 2)
        tags.add(259, SHORT, number).add(262, SHORT, PHOTOMETRIC[family]).add(284, SHORT, 2 if len(planes) > 1 else 1)
        if predicted:
            tags.add(317, SHORT, 2)
        for tag, value in layout:
            tags.add(tag, LONG, value)
    tiled = any(tag == 322 for tag, _, _ in tags.entries)
    tags.add(256, SHORT, width).add(257, SHORT, height).add(258, SHORT, *[bits] * channels).add(277, SHORT, channels)
    tags.add(324 if tiled else 273, LONG, *(file.put(each) for each in data))
    tags.add(325 if tiled else 279, LONG, *map(len, data))
    if icc:
        tags.add_bytes(34675, icc)
    orientation = draw.choose("TIFF orientation", ("none", "3", "6", "8", "twice"), 0.8)
    for value in {"none": (), "twice": (6, 1)}.get(orientation, (int(orientation) if orientation.isdigit() else 0,)):
        tags.add(274, SHORT, value)
    if draw.flag("TIFF width twice", 0.04):
        tags.add(256, SHORT, width // 2)
    return tags


def _small(file: File) -> Directory:
    """The directory of a page of one pixel."""
    at = file.put(b"\x80\x80")
    return Directory(
        [
            (256, SHORT, [1]),
            (257, SHORT, [1]),
            (258, SHORT, [8]),
            (259, SHORT, [1]),
            (262, SHORT, [1]),
            (273, LONG, [at]),
            (277, SHORT, [1]),
            (278, SHORT, [1]),
            (279, LONG, [1]),
        ]
    )


def _cover(file: File, content: Content) -> Directory:
    pixels = np.asarray(content.cover.convert("L"))
    at = file.put(zlib.compress(pixels.tobytes()))
    size = len(file.body) - at
    return Directory(
        [
            (256, SHORT, [pixels.shape[1]]),
            (257, SHORT, [pixels.shape[0]]),
            (258, SHORT, [8]),
            (259, SHORT, [8]),
            (262, SHORT, [1]),
            (273, LONG, [at]),
            (277, SHORT, [1]),
            (278, SHORT, [pixels.shape[0]]),
            (279, LONG, [size]),
        ]
    )


def _pages(draw: Draw, file: File, content: Content, subject: Directory) -> None:
    count = draw.counted("TIFF pages", PAGES)
    place = draw.choose("TIFF page of the subject", ("last", "second", "first", "middle"))
    at = {"last": count - 1, "second": min(1, count - 1), "first": 0, "middle": count // 2}[place]
    page = _small(file) if count > 12 or draw.flag("TIFF pages of one pixel", 0.5) else _cover(file, content)
    file.many(page, at)
    file.directory(subject)
    file.many(page, count - at - 1)


def still(draw: Draw, content: Content) -> bytes:
    """A TIFF or BigTIFF file."""
    file = File(draw.flag("big-endian TIFF", 0.3), draw.choose("TIFF version", ("42", "BigTIFF"), 0.8) == "BigTIFF")
    place = draw.choose("TIFF place", PLACES, 0.4)
    if place != "only picture" and max(content.size) > 640:
        content = content.resized((320, 240))
    subject = _picture(draw, file, content)
    in_order = not draw.flag("TIFF tags out of order", 0.04)
    if place == "pages":
        _pages(draw, file, content, subject)
    elif place in ("sub-directory", "EXIF directory"):
        at = file.directory(subject, in_chain=False)
        file.directory(_cover(file, content).add(330 if place == "sub-directory" else 34665, LONG, at))
    elif place == "sub-directory of the second page":
        at = file.directory(subject, in_chain=False)
        file.directory(_cover(file, content))
        file.directory(_cover(file, content).add(330, LONG, at))
    elif place in ("reduced", "mask", "old subfile type"):
        flag = {"reduced": (254, 1), "mask": (254, 4), "old subfile type": (255, 2)}[place]
        if draw.choose("TIFF flag on", ("second page", "first page")) == "first page":
            file.directory(subject.add(flag[0], LONG if flag[0] == 254 else SHORT, flag[1]), in_order=in_order)
            file.directory(_cover(file, content))
        else:
            file.directory(_cover(file, content))
            file.directory(subject.add(flag[0], LONG if flag[0] == 254 else SHORT, flag[1]), in_order=in_order)
    elif place == "loop":
        first = file.directory(_cover(file, content))
        file.directory(subject)
        file.point_to(first)
    else:
        file.directory(subject, in_order=in_order)
    return bytes(file.body)
