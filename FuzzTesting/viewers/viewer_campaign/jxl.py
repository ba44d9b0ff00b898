# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""JPEG XL files, where a writer is at hand: depths, alpha, profiles, animations and boxes."""

import io

import numpy as np
from PIL import Image

from . import colour, exif, ffmpeg, samples
from .boxes import box, full
from .content import Content, treated
from .draw import Draw

try:
    import pillow_jxl  # noqa: F401 - registers itself

    IS_AVAILABLE = True
except ImportError:
    IS_AVAILABLE = False

SIGNATURE = box(b"JXL ", b"\r\n\x87\n") + box(b"ftyp", b"jxl \0\0\0\0jxl ")


def _encoded(image: Image.Image, **options) -> bytes:
    file = io.BytesIO()
    image.save(file, "JXL", effort=1, **options)
    return file.getvalue()


def _depth_16(subject: Image.Image) -> bytes:
    width, height = subject.size
    raw = samples.deepened(np.asarray(subject), 16).astype("<u2").tobytes()
    return ffmpeg.still(raw, (width, height), "rgb48le", "libjxl", "-effort", "1")


def _with_profile(image: Image.Image, icc: bytes) -> bytes:
    """A lossless picture with a profile, by ffmpeg: pillow-jxl leaves profiles out, and libjxl crashes with damaged
    ones where it is lossy."""
    file = io.BytesIO()
    image.save(file, "PNG", icc_profile=icc, compress_level=1)
    return ffmpeg.recoded(file.getvalue(), "libjxl", "-effort", "1", "-distance", "0")


def still(draw: Draw, content: Content) -> bytes:
    """A JPEG XL file."""
    kind = draw.choose("JPEG XL kind", ("lossy", "lossless", "alpha", "grey", "16 bits", "from JPEG"))
    icc, treatment = (None, "whole") if kind in ("16 bits", "from JPEG") else colour.choose(draw)
    subject = treated(content.subject, treatment)
    quality = {"lossless": True} if kind == "lossless" else {"quality": 85}
    if kind == "16 bits":
        data = _depth_16(subject)
    elif kind == "alpha":
        colours, fourth = samples.alpha(draw, content, subject)
        image = Image.fromarray(np.concatenate([colours, fourth[..., None]], 2))
        data = _with_profile(image, icc) if icc else _encoded(image, lossless=True)
    else:
        image = subject.convert("L") if kind == "grey" else subject
        data = _with_profile(image, icc) if icc else _encoded(image, **quality)
    block = exif.choose(draw, content.cover)
    in_boxes = draw.choose("JPEG XL boxes", ("none", "one", "parts", "second code stream"), 0.5)
    if in_boxes == "none" or data[:2] != b"\xff\x0a":
        return data
    exif_box = [box(b"Exif", bytes(4) + block)] if block else []
    if in_boxes == "one":
        return SIGNATURE + b"".join(exif_box) + box(b"jxlc", data)
    if in_boxes == "second code stream":
        return SIGNATURE + box(b"jxlc", _encoded(content.cover)) + box(b"jxlc", data)
    half = len(data) // 2
    return SIGNATURE + full(b"jxlp", 0, 0, data[:half]) + b"".join(exif_box) + full(b"jxlp", 0x80, 1, data[half:])
