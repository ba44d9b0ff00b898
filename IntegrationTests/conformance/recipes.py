# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Recipes: how each conformance picture is made from photographs and drawings, as plain JSON values.

A recipe has a `name`, a `size` (width, height), one source, and `steps` that change the colours:

    {"name": "photo-001", "size": [640, 480], "photo": ["Dune.jpg", 0.1, 0.2, 0.6, 0.7], "steps": [["hue", 30]]}
    {"name": "drawn-001", "size": [64, 900], "draw": ["blobs", 17], "steps": []}
    {"name": "collage-001", "size": [800, 600], "columns": 2, "collage": [["Dune.jpg", 0, 0, 1, 1], ...], "steps": []}

A photograph's four numbers are the left, top, right and bottom of the crop, as fractions. Recipes of JPEGs also have
`jpeg` (quality, chroma subsampling, progressive) and `grain` (strength, seed). Whatever is random has a seed.
"""

import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance, ImageFilter

from drawings import draw
from reference import ConformanceError

LONGEST_SOURCE_SIDE = 2560


class Photographs:
    """The photographs that recipes name, found in the folders given, each read once."""

    def __init__(self, folders):
        self.folders = [Path(folder) for folder in folders]
        self.open = lru_cache(maxsize=None)(self._open)

    def path(self, name):
        for folder in self.folders:
            if (folder / name).is_file():
                return folder / name
        raise ConformanceError(
            f"The photograph {name} is in none of the folders given with --photographs; "
            "install it with `apt-get install mate-backgrounds gnome-backgrounds`."
        )

    def digest(self, name):
        return hashlib.sha256(self.path(name).read_bytes()).hexdigest()

    def _open(self, name):
        with Image.open(self.path(name)) as image:
            image = image.convert("RGB")
        return image.reduce(2) if max(image.size) > LONGEST_SOURCE_SIDE else image

    def crop(self, photo, size):
        """The part of a photograph that `photo` (name, left, top, right, bottom) names, stretched to `size`."""
        source = self.open(photo[0])
        box = [edge * extent for edge, extent in zip(photo[1:], source.size * 2)]
        return source.resize(size, Image.Resampling.BICUBIC, box)


def build(recipe, photographs, scale=1):
    """Makes the picture of a recipe, at `size` divided by `scale`, without the grain."""
    size = tuple(side // scale for side in recipe["size"])
    if "draw" in recipe:
        image = draw(recipe["draw"][0], size, recipe["draw"][1])
    elif "photo" in recipe:
        image = photographs.crop(recipe["photo"], size)
    else:
        image = _collage(recipe, photographs, size)
    for operation, *values in recipe["steps"]:
        image = STEPS[operation](image, *values)
    return image


def _build_large(recipe, photographs):
    """Makes the 12-megapixel picture of a JPEG recipe: built at half the size, enlarged, with grain added."""
    image = build(recipe, photographs, scale=2).resize(recipe["size"], Image.Resampling.BICUBIC)
    strength, seed = recipe["grain"]
    return _add_noise(image, strength, seed, tile=512)


def save_jpeg(recipe, photographs, file):
    """Writes the picture of a JPEG recipe to `file` (a path, or a file opened for writing)."""
    quality, chroma, progressive = recipe["jpeg"]
    image = _build_large(recipe, photographs)
    image.save(file, "JPEG", quality=quality, subsampling=chroma, progressive=progressive)


def _collage(recipe, photographs, size):
    image = Image.new("RGB", size)
    columns = recipe["columns"]
    rows = len(recipe["collage"]) // columns
    for index, photo in enumerate(recipe["collage"]):
        column, row = index % columns, index // columns
        left, right = column * size[0] // columns, (column + 1) * size[0] // columns
        top, bottom = row * size[1] // rows, (row + 1) * size[1] // rows
        image.paste(photographs.crop(photo, (right - left, bottom - top)), (left, top))
    return image


def _turn_hue(image, degrees):
    hue, saturation, value = image.convert("HSV").split()
    hue = hue.point([(level + round(degrees * 256 / 360)) % 256 for level in range(256)])
    return Image.merge("HSV", (hue, saturation, value)).convert("RGB")


def _warm(image, amount):
    red, green, blue = image.split()
    red = red.point([min(255, round(level * (1 + amount * 0.4))) for level in range(256)])
    blue = blue.point([round(level * (1 - amount * 0.5)) for level in range(256)])
    return Image.merge("RGB", (red, green, blue))


def _blur(image, share):
    return image.filter(ImageFilter.GaussianBlur(share * min(image.size)))


def _add_noise(image, strength, seed, tile=None):
    """Adds the same noise to the three channels; with `tile`, one patch of it is repeated over the picture."""
    width, height = image.size
    across, down = tile or width, tile or height
    random = np.random.Generator(np.random.PCG64(seed))
    patch = random.integers(-strength, strength + 1, (down, across, 1), np.int16)
    patch += random.integers(-strength, strength + 1, (down, across, 1), np.int16)
    noise = np.tile(patch, (-(-height // down), -(-width // across), 1))[:height, :width]
    return Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))


STEPS = {
    "hue": _turn_hue,
    "warm": _warm,
    "blur": _blur,
    "noise": _add_noise,
    "saturation": lambda image, factor: ImageEnhance.Color(image).enhance(factor),
    "brightness": lambda image, factor: ImageEnhance.Brightness(image).enhance(factor),
    "contrast": lambda image, factor: ImageEnhance.Contrast(image).enhance(factor),
}
