# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`plain/`: one ordinary file a format, to be read whole and cut short."""

import struct

import numpy as np
from PIL import Image

from . import bmp, drawings, encoders, tiff
from .isobmff import Item, full_box, write_heif
from .orientation import HEIC_BRANDS
from .saving import saved

SIZE = (320, 240)
TILE = 128


def make(write):
    """Writes the folder; `write(name, bytes)`."""
    image = drawings.textured(42, SIZE)
    write("plain.jpg", saved(image, "JPEG", quality=85))
    write("progressive.jpg", saved(image, "JPEG", quality=85, progressive=True))
    write("plain.png", saved(image, "PNG", optimize=True))
    write("plain.webp", saved(image, "WEBP", quality=85, method=6))
    write("lossless.webp", saved(image, "WEBP", lossless=True, method=6))
    write("plain.tiff", tiff.rgb(image, rows=32))
    write("plain.bmp", bmp.rgb24(np.asarray(image)))
    write("plain.heic", encoders.heic(image, quality=80, chroma="420"))
    write("plain.avif", encoders.avif(image, 16, "420"))
    write("grid.avif", encoders.avif(image, 16, "420", "--grid", "2x2"))
    write("plain.jxl", encoders.jxl(image, "-q", "85", "--container=0"))
    write("container.jxl", encoders.jxl(image, "-q", "85", "--container=1"))
    write("grid.heic", _grid(image))


def _grid(image):
    """A HEIC grid of 3 x 2 tiles that hang over the right and lower edge, as phones write them."""
    width, height = image.size
    columns, rows = -(-width // TILE), -(-height // TILE)
    # The overhang repeats the picture's last column and row.
    overhang = ((0, rows * TILE - height), (0, columns * TILE - width), (0, 0))
    padded = Image.fromarray(np.pad(np.asarray(image), overhang, "edge"))
    boxes = [(x * TILE, y * TILE, (x + 1) * TILE, (y + 1) * TILE) for y in range(rows) for x in range(columns)]
    tiles = [encoders.heic_item(padded.crop(b), quality=80, chroma="420") for b in boxes]
    ispe = full_box("ispe", 0, 0, struct.pack(">II", width, height))
    grid = Item("grid", struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height), [(ispe, False)])
    items = {1: grid}
    for number, tile in enumerate(tiles, 2):
        tile.hidden = True
        items[number] = tile
    return write_heif(items, references=[("dimg", 1, list(range(2, 2 + len(tiles))))], **HEIC_BRANDS)
