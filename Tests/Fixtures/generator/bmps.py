# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`colour/bmp/`: one drawing in every kind of BMP."""

import numpy as np
from PIL import Image

from . import bmp, drawings
from .colour import palette_of
from .saving import saved


def make(write):
    """Writes the folder: 99 x 75 pixels, so that rows need padding at every depth below 32; `write(name, bytes)`."""
    chart = drawings.chart((99, 75))
    pixels = np.asarray(chart)
    indices, palette = palette_of(chart)
    few = chart.quantize(16, dither=Image.Dither.NONE).convert("RGB")
    few_indices, few_palette = palette_of(few)
    two = (np.asarray(chart.convert("L")) > 127).astype(np.uint8)
    two_palette = [(40, 30, 110), (230, 220, 120)]  # neither black nor white, so that the palette counts
    alpha = np.asarray(drawings.ramp(chart.size))

    write("1bit.bmp", bmp.indexed(two, two_palette, 1))
    write("4bit.bmp", bmp.indexed(few_indices, few_palette, 4))
    write("8bit.bmp", bmp.indexed(indices, palette, 8))
    write("16bit.bmp", bmp.rgb555(pixels))
    write("24bit.bmp", bmp.rgb24(pixels))
    write("32bit.bmp", bmp.rgb32(pixels))
    write("bitfields565.bmp", bmp.rgb565(pixels))
    write("topdown.bmp", bmp.rgb24(pixels, top_down=True))
    write("rle8.bmp", bmp.rle(indices, palette, 8))
    write("rle4.bmp", bmp.rle(few_indices, few_palette, 4))
    write("os2.bmp", bmp.os2(indices, palette))
    write("v5.bmp", bmp.v5(np.dstack([pixels, alpha])))

    for name, expected in {
        "expected.png": chart,
        "expected-1bit.png": Image.fromarray(np.array(two_palette, np.uint8)[two]),
        "expected-4bit.png": few,
        "expected-16bit.png": Image.fromarray(_reduced(pixels, (5, 5, 5))),
        "expected-bitfields565.png": Image.fromarray(_reduced(pixels, (5, 6, 5))),
        "expected-v5.png": Image.fromarray(np.dstack([pixels, alpha])),
    }.items():
        write(name, saved(expected, "PNG", optimize=True))


def _reduced(pixels, widths):
    """What is left of a picture when each band keeps that many bits; full scale stays 255."""
    bands = [((pixels[..., i] >> 8 - w).astype(int) * 255 / ((1 << w) - 1)).round() for i, w in enumerate(widths)]
    return np.stack(bands, -1).astype(np.uint8)
