# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`deceptive/`: the picture is drawing A, and what a hurried reader takes instead is drawing B."""

import numpy as np

from . import drawings, encoders, exif, jpeg, jxl, tiff
from .isobmff import write_heif
from .orientation import AVIF_BRANDS, HEIC_BRANDS
from .saving import saved

SIZE, HALF, QUARTER = (600, 448), (300, 224), (150, 112)


def make(write):
    """Writes the folder; `write(name, bytes)`."""
    main, other = drawings.shapes(23, SIZE), drawings.alarm(HALF)
    write("main.png", saved(main, "PNG", optimize=True))
    write("other.png", saved(other, "PNG", optimize=True))

    thumbnail = [("thmb", 2, [1])]
    write("thumbnail.heic", write_heif(
        {1: encoders.heic_item(main, quality=80, chroma="420"), 2: encoders.heic_item(other, chroma="420")},
        references=thumbnail, **HEIC_BRANDS))
    write("thumbnail.avif", write_heif(
        {1: encoders.avif_item(main, quantizer=16), 2: encoders.avif_item(other)},
        references=thumbnail, **AVIF_BRANDS))

    small = saved(other, "JPEG", quality=85)
    large = saved(main, "JPEG", quality=85)
    write("thumbnail.jpg", saved(main, "JPEG", quality=85, exif=exif.thumbnail(small)))
    write("mpf.jpg", jpeg.with_second_picture(large, small))

    def reduced(size):
        return tiff.Directory(np.asarray(drawings.alarm(size)), 2, {tiff.NEW_SUBFILE_TYPE: (tiff.LONG, [1])})

    pixels = np.asarray(main)
    write("thumbnail.tiff", tiff.write([tiff.Directory(pixels, 2, children=[reduced(HALF)])]))
    write("pyramid.tiff", tiff.write([tiff.Directory(pixels, 2), reduced(HALF), reduced(QUARTER)]))
    write("pyramid-subifd.tiff", tiff.write([tiff.Directory(pixels, 2, children=[reduced(HALF), reduced(QUARTER)])]))

    options = ("-q", "80", "--container=0")
    write("preview.jxl", jxl.with_preview(encoders.jxl(main, *options), encoders.jxl(other, *options), HALF))
