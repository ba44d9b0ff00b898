# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Frames of Pillow, with its plug-ins for HEIF and JPEG XL."""

import io
import warnings
from collections.abc import Iterator

import numpy as np
import pillow_heif
from PIL import Image, ImageCms, ImageOps

try:
    import pillow_jxl  # noqa: F401 - registers itself
except ImportError:
    pass

from . import Frames, MOST_PIXELS

warnings.simplefilter("ignore")
pillow_heif.register_heif_opener()
Image.MAX_IMAGE_PIXELS = None
# The first pictures of a file, and its last.
FIRST, LAST = 10, 3
# Pillow walks through all directories of a TIFF file to count them; of more than these, it walks no further.
MOST_PAGES = 11_000


def _over(image: Image.Image, level: int) -> Image.Image:
    below = Image.new("RGBA", image.size, (level, level, level, 255))
    below.alpha_composite(image)
    return below.convert("RGB")


def _renderings(image: Image.Image) -> Iterator[tuple[str, Image.Image]]:
    """The picture over white and black, and with its alpha dropped."""
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        whole = image.convert("RGBA")
        if np.asarray(whole)[..., 3].min() < 255:
            yield "over white", _over(whole, 255)
            yield "over black", _over(whole, 0)
            yield "alpha dropped", image.convert("RGB") if image.mode != "P" else whole.convert("RGB")
            return
        image = whole
    if image.mode == "F":
        image = image.point(lambda level: level * 255)
    elif image.mode in ("I", "I;16", "I;16B", "I;16L"):
        image = Image.fromarray((np.asarray(image).astype(np.uint32) >> 8).astype(np.uint8))
    yield "", image.convert("RGB")


SRGB = ImageCms.createProfile("sRGB")


def _managed(image: Image.Image) -> Image.Image | None:
    """The picture converted by its colour profile, as apps with Pillow do it; None where that cannot be done."""
    icc = image.info.get("icc_profile")
    if not icc or image.mode not in ("RGB", "L", "CMYK", "RGBA"):
        return None
    try:
        return ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(icc)), SRGB, outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None


def _count(image: Image.Image) -> int:
    """The number of pictures, or MOST_PAGES where there are more pages."""
    if image.format == "TIFF":
        try:
            image.seek(MOST_PAGES - 1)
            return MOST_PAGES
        except EOFError:
            image.seek(0)
    return getattr(image, "n_frames", 1)


def frames(path: str) -> Frames:
    """The first and last frames of the file; of the first also the rendering by its profile."""
    with Image.open(path) as image:
        if image.width * image.height > MOST_PIXELS:
            return
        count = _count(image)
        wanted = [*range(min(count, FIRST)), *range(max(FIRST, count - LAST), count)]
        for number in wanted:
            if number or count > 1:
                try:
                    image.seek(number)
                except EOFError:
                    return
            upright = ImageOps.exif_transpose(image) if count == 1 else image
            for label, rendering in _renderings(upright):
                yield f"{number} {label}".strip(), np.asarray(rendering)
            managed = _managed(upright) if not number else None
            if managed:
                yield f"{number} managed", np.asarray(managed)
