# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""From a seed and an index to a file: the format, its features, and what follows its end."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from . import apng, bmp, content, gif, heif, jpeg, jpeg_blocks, jxl, perturb, png, tiff, webp
from .content import Content, Library
from .draw import Draw

SMALL = (640, 480)
Maker = Callable[[Draw, Content], bytes]


@dataclass(frozen=True)
class Format:
    """A format: its ending, its share, the largest picture, and the function that makes a file."""

    ending: str
    share: float
    make: Maker
    most: tuple[int, int] | None = None


FORMATS = {
    "PNG": Format("png", 5.5, png.still),
    "APNG": Format("png", 2.2, apng.animated, (320, 240)),
    "JPEG": Format("jpg", 3.5, jpeg.still),
    "MPO": Format("jpg", 1, jpeg.several, SMALL),
    "JPEG blocks": Format("jpg", 0.8, lambda draw, pictures: jpeg_blocks.clipping(draw, pictures.subject)),
    "GIF": Format("gif", 2.5, gif.animated, (320, 240)),
    "WebP": Format("webp", 3.3, webp.still),
    "TIFF": Format("tif", 5.5, tiff.still),
    "BMP": Format("bmp", 2.8, bmp.still, SMALL),
    "AVIF": Format("avif", 3, lambda draw, pictures: heif.still(draw, pictures, "AVIF"), SMALL),
    "HEIC": Format("heic", 2.5, lambda draw, pictures: heif.still(draw, pictures, "HEIC"), SMALL),
}
if jxl.IS_AVAILABLE:
    FORMATS["JPEG XL"] = Format("jxl", 1.2, jxl.still, SMALL)
APPENDED = ("nothing", "zeros", "a JPEG", "a PNG", "the same format", "a video")


@dataclass
class Generated:
    """One file of the campaign."""

    name: str
    format: str
    data: bytes
    draw: Draw

    @property
    def holds_pattern(self) -> bool:
        """Whether the test pattern is anywhere in the file; a video that is appended always shows it."""
        return self.draw.choices["content"] == "pattern" or self.draw.choices.get("appended") == "a video"


def _picture(pictures: Content, kind: str) -> bytes:
    file = io.BytesIO()
    pictures.subject.save(file, kind, **({"compress_level": 1} if kind == "PNG" else {}))
    return file.getvalue()


def _appended(draw: Draw, pictures: Content, format: Format, data: bytes, clip: bytes) -> bytes:
    """The file with what follows its end, which holds the subject."""
    kind = draw.choices["appended"]
    more = {
        "nothing": lambda: b"",
        "zeros": lambda: bytes(1000),
        "a JPEG": lambda: _picture(pictures, "JPEG"),
        "a PNG": lambda: _picture(pictures, "PNG"),
        "a video": lambda: clip,
        "the same format": lambda: format.make(Draw(draw.seed, draw.index + 10**9), pictures),
    }[kind]()
    return data + more


def image(library: Library, clip: bytes, seed: int, index: int, forced: Mapping[str, str] | None = None) -> Generated:
    """The image file of an index. `clip` is a video that shows the test pattern."""
    draw = Draw(seed, index, forced)
    source = draw.source("format")
    name = source.choices(list(FORMATS), [each.share for each in FORMATS.values()])[0]
    format = FORMATS[name]
    pictures = content.make(draw, library, format.most)
    appended = draw.choose("appended", APPENDED, 0.9)
    main = pictures
    if appended not in ("nothing", "zeros") and draw.flag("subject appended only", 0.7):
        main = Content("harmless", pictures.cover, pictures.cover)
    data = format.make(draw, main)
    data = _appended(draw, pictures, format, data, clip)
    data = perturb.perturbed(draw, data)
    return Generated(f"i{index:06d}.{format.ending}", name, data, draw)
