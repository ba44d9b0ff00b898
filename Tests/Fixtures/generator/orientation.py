# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`orientation/`: one picture stored with each of the eight orientations in seven formats."""

import struct

from PIL import Image

from . import drawings, encoders, exif, tiff
from .isobmff import Item, box, child, children, write_heif
from .saving import saved

# How to store the upright picture so that a reader which obeys the orientation shows it upright: the inverse.
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}

# The same as HEIF item properties, applied in this order. irot turns by 90 degrees anticlockwise as often as it says;
# imir 0 exchanges top and bottom, imir 1 left and right (as libheif, libavif and Apple read it).
HEIF_TRANSFORMS = {
    1: [],
    2: [("imir", 1)],
    3: [("irot", 2)],
    4: [("imir", 0)],
    5: [("irot", 1), ("imir", 0)],
    6: [("irot", 3)],
    7: [("irot", 3), ("imir", 0)],
    8: [("irot", 1)],
}

HEIC_BRANDS = {"major": "heic", "brands": ("mif1", "heic")}
AVIF_BRANDS = {"major": "avif", "brands": ("avif", "mif1", "miaf")}


def stored(upright, orientation):
    """The pixels as they lie in a file with that EXIF orientation."""
    transpose = STORED[orientation]
    return upright if transpose is None else upright.transpose(transpose)


def make(write):
    """Writes the folder; `write(name, bytes)`."""
    upright = drawings.base()
    write("upright.png", saved(upright, "PNG", optimize=True))
    for orientation in range(1, 9):
        pixels = stored(upright, orientation)
        tag = exif.orientation(orientation)
        write(f"png-{orientation}.png", saved(pixels, "PNG", exif=tag, optimize=True))
        write(f"jpeg-{orientation}.jpg", saved(pixels, "JPEG", exif=tag, quality=95, subsampling=0))
        write(f"webp-{orientation}.webp", saved(pixels, "WEBP", exif=tag, quality=95, method=6))
        write(f"tiff-{orientation}.tiff", tiff.rgb(pixels, tags={274: orientation}))
        write(f"jxl-{orientation}.jxl", child(encoders.jxl(pixels, "-q", "95", exif=tag), "jxlc"))
        transforms = [(box(kind, bytes([value])), True) for kind, value in HEIF_TRANSFORMS[orientation]]
        write(f"heic-{orientation}.heic",
              write_heif({1: encoders.heic_item(pixels).adding(*transforms)}, **HEIC_BRANDS))
        write(f"avif-{orientation}.avif",
              write_heif({1: encoders.avif_item(pixels, quantizer=2).adding(*transforms)}, **AVIF_BRANDS))
    # Both say 6: the codestream, which counts, and an Exif box, which does not count again.
    turned = encoders.jxl(stored(upright, 6), "-q", "95", exif=exif.orientation(6))
    block = box("Exif", bytes(4), exif.orientation(6).removeprefix(b"Exif\0\0"))
    write("jxl-exif-box.jxl", b"".join((block if kind == "jxlc" else b"") + box(kind, body)
                                       for kind, body in children(turned)))
    # The block starts with the offset of the TIFF header, counted from behind that number.
    block = Item("Exif", struct.pack(">I", len(b"Exif\0\0")) + exif.orientation(6))
    describes = [("cdsc", 2, [1])]
    write("heic-exif-only.heic",
          write_heif({1: encoders.heic_item(upright), 2: block}, references=describes, **HEIC_BRANDS))
    turned = encoders.heic_item(stored(upright, 6)).adding((box("irot", b"\3"), True))
    write("heic-irot-and-exif.heic", write_heif({1: turned, 2: block}, references=describes, **HEIC_BRANDS))
