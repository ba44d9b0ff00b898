# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The pictures that the files hold: subjects, which a verdict must notice, and covers, which are harmless."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from .draw import Draw

SIZES = {
    "320x240": (320, 240),
    "200x200": (200, 200),
    "640x480": (640, 480),
    "241x327": (241, 327),
    "560x300": (560, 300),
    "1100x800": (1100, 800),
}
# The pictures of a file with many: a decoder composes each of them.
MANY, MANY_SIZE = 101, (160, 120)
# A faint picture is compressed into these levels.
FAINT = {"faint light": (250, 255), "faint dark": (0, 6), "faint middle": (125, 130), "faint 100": (98, 102)}
# A dithered picture has pairs of pixels with these levels in dark parts, and their mean in light parts.
DITHERED = {"dithered light": (235, 255), "dithered dark": (0, 12), "dithered middle": (100, 140)}
DITHERED_SIZE = (1120, 840)


@dataclass
class Library:
    """The pictures that the subjects and covers are made of."""

    pattern: Image.Image
    # Photographs and drawings over a score of 0.4, and below 0.05.
    scenes: list[Image.Image]
    calm: list[Image.Image]

    @classmethod
    def load(cls, folder: Path) -> "Library":
        listed = json.loads((folder / "pictures.json").read_text())

        def pictures(kind: str) -> list[Image.Image]:
            return [Image.open(folder / name).convert("RGB") for name in listed[kind]]

        return cls(Image.open(folder / "pattern.png").convert("RGB"), pictures("scenes"), pictures("calm"))


@dataclass
class Content:
    """The subject and the cover of one file, both RGB and of the same size."""

    kind: str
    subject: Image.Image
    cover: Image.Image

    @property
    def size(self) -> tuple[int, int]:
        return self.subject.size

    def resized(self, size: tuple[int, int]) -> "Content":
        """The same pictures in another size."""
        return Content(self.kind, scaled(self.subject, size), scaled(self.cover, size))


def scaled(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture in another size."""
    return image if image.size == size else image.resize(size, Image.Resampling.BICUBIC)


def _pattern(draw: Draw, library: Library, size: tuple[int, int], cover: Image.Image) -> Image.Image:
    """The test pattern, which fills the picture or lies in one part of it."""
    place = draw.choose("pattern place", ("whole", "left", "right", "bottom"), 0.6)
    if place == "whole":
        return scaled(library.pattern, size)
    width, height = size
    side = int(min(size) * 0.75)
    code = library.pattern
    # The code is in the middle of the pattern's picture.
    edge = min(code.size)
    left, top = (code.width - edge) // 2, (code.height - edge) // 2
    code = code.crop((left, top, left + edge, top + edge)).resize((side, side), Image.Resampling.BICUBIC)
    image = cover.copy()
    x = {"left": 0, "right": width - side, "bottom": (width - side) // 2}[place]
    image.paste(code, (x, height - side if place == "bottom" else (height - side) // 2))
    return image


def _cover(draw: Draw, library: Library, size: tuple[int, int]) -> Image.Image:
    kind = draw.choose("cover", ("plain", "gradient", "photograph"))
    if kind == "photograph" and library.calm:
        return scaled(library.calm[draw.number("calm", 0, len(library.calm) - 1)], size)
    level = draw.number("level", 90, 160)
    image = Image.new("RGB", size, (level, level + 20, level))
    if kind == "gradient":
        pencil = ImageDraw.Draw(image)
        for y in range(size[1]):
            pencil.line((0, y, size[0], y), (level, 60 + y * 120 // size[1], level))
    return image


def make(draw: Draw, library: Library, most: tuple[int, int] | None = None) -> Content:
    """The pictures of one file."""
    fitting = [name for name, size in SIZES.items() if not most or (size[0] <= most[0] and size[1] <= most[1])]
    size = SIZES[draw.choose("size", fitting, 0.88)]
    cover = _cover(draw, library, size)
    kind = draw.choose("content", ("pattern", "scene", "harmless"), 0.5)
    if kind == "harmless" and draw.number("harmless", 0, 1):
        kind = draw.choices["content"] = "scene"
    if kind == "scene" and library.scenes:
        subject = scaled(library.scenes[draw.number("scene", 0, len(library.scenes) - 1)], size)
    elif kind == "harmless":
        subject = cover.copy()
    else:
        subject = _pattern(draw, library, size, cover)
    return Content(kind, subject, cover)


def ordered(image: Image.Image) -> np.ndarray:
    """The picture in two levels, as an array of booleans; photographs keep their tones by an ordered dither."""
    grey = np.asarray(image.convert("L")).astype(float)
    matrix = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) * 8 + 64
    height, width = grey.shape
    return grey > np.tile(matrix, (height // 4 + 1, width // 4 + 1))[:height, :width]


def treated(image: Image.Image, treatment: str) -> Image.Image:
    """The picture with its levels changed, so that only a profile or gamma makes it visible again."""
    if treatment in FAINT:
        low, high = FAINT[treatment]
        return Image.fromarray(np.where(ordered(image), high, low).astype(np.uint8)).convert("RGB")
    if treatment in DITHERED:
        low, high = DITHERED[treatment]
        # Larger than the size to which decoders reduce, so that pairs of pixels are averaged.
        light = ordered(image.resize((DITHERED_SIZE[0] // 2, DITHERED_SIZE[1] // 2), Image.Resampling.BILINEAR))
        light = light.repeat(2, 0).repeat(2, 1)
        rows, columns = np.indices(light.shape)
        pairs = np.where((rows + columns) % 2 == 0, low, high)
        return Image.fromarray(np.where(light, (low + high) // 2, pairs).astype(np.uint8)).convert("RGB")
    return image
