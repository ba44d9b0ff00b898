# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`plain/`: one ordinary file a format, to be read whole and cut short."""

import numpy as np

from . import bmp, drawings, encoders, tiff, tiles
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
    write("grid.heic", tiles.grid(image, TILE))
