# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`tiles/`: a HEIC picture of many tiles, as phones write large photographs."""

import struct

import numpy as np
from PIL import Image

from . import drawings, encoders
from .isobmff import Item, box, full_box, write_heif
from .orientation import HEIC_BRANDS

SIZE = (190, 1230)
TILE = 64


def drawing():
    """The picture before it is turned."""
    return drawings.textured(43, SIZE)


def make(write):
    """Writes the folder; `write(name, bytes)`."""
    write("plain.heic", grid(drawing(), TILE, quality=40))
    write("turned.heic", grid(drawing(), TILE, [(box("irot", bytes([1])), True)], quality=40))
    write("wide-numbers.heic", grid(drawing(), TILE, quality=40, reference_version=1))


def grid(image, side, turns=(), quality=80, reference_version=0):
    """A HEIC grid of tiles that hang over the right and lower edge."""
    width, height = image.size
    columns, rows = -(-width // side), -(-height // side)
    # The overhang repeats the picture's last column and row.
    overhang = ((0, rows * side - height), (0, columns * side - width), (0, 0))
    padded = Image.fromarray(np.pad(np.asarray(image), overhang, "edge"))
    boxes = [(x * side, y * side, (x + 1) * side, (y + 1) * side) for y in range(rows) for x in range(columns)]
    tiles = [encoders.heic_item(padded.crop(b), quality=quality, chroma="420") for b in boxes]
    ispe = full_box("ispe", 0, 0, struct.pack(">II", width, height))
    data = struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)
    items = {1: Item("grid", data, [(ispe, False), *turns])}
    for number, tile in enumerate(tiles, 2):
        tile.hidden = True
        items[number] = tile
    references = [("dimg", 1, list(range(2, 2 + len(tiles))))]
    return write_heif(items, references=references, reference_version=reference_version, **HEIC_BRANDS)
