# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Abstract drawings: the same kind, size and seed always give the same picture."""

import numpy as np
from PIL import Image, ImageDraw


def draw(kind, size, seed):
    """Draws `kind` (a key of `KINDS`) as an RGB picture of `size` (width, height)."""
    picture = KINDS[kind](np.random.Generator(np.random.PCG64(seed)), *size)
    if isinstance(picture, Image.Image):
        return picture
    return Image.fromarray(np.clip(np.rint(picture), 0, 255).astype(np.uint8))


def _colours(random, count):
    return random.integers(0, 256, (count, 3)).astype(np.float64)


def _grid(width, height):
    """Coordinates that run from 0 to 1 over the picture, whatever its shape."""
    return np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)


def _ramp(position, colours):
    """Colours for `position` 0...1, with straight lines between evenly spaced stops."""
    stops = np.linspace(0, 1, len(colours))
    return np.stack([np.interp(position, stops, colours[:, channel]) for channel in range(3)], axis=-1)


def _two_tone(mask, colours):
    return np.where(mask[..., np.newaxis], colours[0], colours[1])


def _gradient(random, width, height):
    x, y = _grid(width, height)
    angle = random.random() * 2 * np.pi
    position = (x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle) + 0.5
    return _ramp(position, _colours(random, random.integers(2, 6)))


def _radial(random, width, height):
    x, y = _grid(width, height)
    distance = np.hypot(x - random.random(), y - random.random())
    return _ramp(distance, _colours(random, random.integers(2, 6)))


def _grey_gradient(random, width, height):
    x, y = _grid(width, height)
    level = 255 * (random.random() * x + random.random() * y) / 2 + 20 * random.random()
    return np.repeat(level[..., np.newaxis], 3, axis=-1) + np.array([0, 1, 3])


def _blobs(random, width, height):
    x, y = _grid(width, height)
    picture = np.broadcast_to(_colours(random, 1), (height, width, 3)).copy()
    for colour in _colours(random, random.integers(3, 12)):
        spread = 0.03 + 0.22 * random.random()
        square = (x - random.random()) ** 2 + (y - random.random()) ** 2
        weight = np.exp(-square / (2 * spread**2))[..., np.newaxis]
        picture += weight * (colour - picture)
    return picture


def _noise(random, width, height):
    base = _colours(random, 1)
    return base + (random.random((height, width, 3)) - 0.5) * (40 + 400 * random.random())


def _cloud(random, width, height):
    """Noise of several scales, each drawn small and enlarged."""
    total = np.zeros((height, width))
    for octave in range(5):
        cells = 3 * 2**octave
        layer = Image.fromarray(random.random((cells, cells)).astype(np.float32))
        total += np.asarray(layer.resize((width, height), Image.Resampling.BICUBIC)) / 2**octave
    return _ramp(np.clip(total / 1.94, 0, 1), _colours(random, random.integers(2, 5)))


def _checkerboard(random, width, height):
    cell = random.integers(1, 24)
    x, y = np.meshgrid(np.arange(width) // cell, np.arange(height) // cell)
    return _two_tone((x + y) % 2 == 0, _colours(random, 2))


def _fine_lines(random, width, height):
    """Hard lines, one to four pixels wide, at any angle."""
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    angle = random.random() * np.pi
    position = np.floor((x * np.cos(angle) + y * np.sin(angle)) / random.integers(1, 5))
    return _two_tone(position % 2 == 0, _colours(random, 2))


def _rings(random, width, height):
    """Rings that become ever finer outwards: resamplers differ most on them."""
    x, y = np.meshgrid(np.arange(width) - width / 2, np.arange(height) - height / 2)
    finest = (0.3 + 0.7 * random.random()) * np.pi / max(width, height)
    return _ramp(0.5 + 0.5 * np.cos((x * x + y * y) * finest), _colours(random, 2))


def _stripes(random, width, height):
    colours = _colours(random, random.integers(3, 14))
    length = width if random.random() < 0.5 else height
    bars = colours[np.minimum(np.arange(length) * len(colours) // length, len(colours) - 1)]
    bars = bars[np.newaxis] if length == width else bars[:, np.newaxis]
    return np.broadcast_to(bars, (height, width, 3))


def _tiles(random, width, height):
    across, down = random.integers(2, 20, 2)
    small = Image.fromarray(_colours(random, across * down).reshape(down, across, 3).astype(np.uint8))
    return small.resize((width, height), Image.Resampling.NEAREST)


def _polygons(random, width, height):
    picture = Image.new("RGB", (width, height), tuple(random.integers(0, 256, 3).tolist()))
    pen = ImageDraw.Draw(picture)
    for _ in range(random.integers(5, 40)):
        corners = random.random((random.integers(3, 6), 2)) * (width, height)
        pen.polygon([tuple(corner) for corner in corners.tolist()], fill=tuple(random.integers(0, 256, 3).tolist()))
    return picture


KINDS = {
    "gradient": _gradient,
    "radial": _radial,
    "grey-gradient": _grey_gradient,
    "blobs": _blobs,
    "noise": _noise,
    "cloud": _cloud,
    "checkerboard": _checkerboard,
    "fine-lines": _fine_lines,
    "rings": _rings,
    "stripes": _stripes,
    "tiles": _tiles,
    "polygons": _polygons,
}
