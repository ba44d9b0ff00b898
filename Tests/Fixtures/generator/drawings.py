# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""The drawings: seeded gradients, blobs, stripes and polygons, in colours from yellow-green to violet."""

import colorsys
import math
import random

import numpy as np
from PIL import Image, ImageDraw

BASE_SEED, BASE_VARIANT = 90, 2429


def shapes(seed, size=(400, 300), variant=None):
    """A gradient with three to nine flat shapes; a variant has them a little elsewhere, in slightly other colours.

    The same arguments always give the same pixels.
    """
    scale = 2  # drawn larger and averaged, so that edges are smooth
    width, height = size[0] * scale, size[1] * scale
    rng = random.Random(seed)
    jitter = random.Random(variant)

    def moved(value, span):
        return value if variant is None else value + jitter.uniform(-span, span)

    def colour():
        hue = min(max(moved(rng.uniform(0.17, 0.85), 0.03), 0.17), 0.85)
        saturation = min(max(moved(rng.uniform(0.1, 0.9), 0.08), 0), 1)
        value = min(max(moved(rng.uniform(0.2, 1), 0.08), 0), 1)
        return tuple(int(255 * c) for c in colorsys.hsv_to_rgb(hue, saturation, value))

    start, end = np.array(colour()), np.array(colour())
    angle = rng.uniform(0, 2 * math.pi)
    y, x = np.mgrid[0:height, 0:width]
    t = (x / width - 0.5) * math.cos(angle) + (y / height - 0.5) * math.sin(angle) + 0.5
    t = np.clip(t, 0, 1)[..., None]
    image = Image.fromarray((start * (1 - t) + end * t).round().astype(np.uint8))
    draw = ImageDraw.Draw(image)
    unit = width / 400
    for _ in range(rng.randint(3, 9)):
        kind = rng.choice("eplr")
        cx = moved(rng.uniform(0, width), width * 0.03)
        cy = moved(rng.uniform(0, height), height * 0.03)
        s = rng.uniform(20, 140) * unit * moved(1, 0.08)
        if kind == "e":
            draw.ellipse(_box(cx, cy, s, s * rng.uniform(0.4, 1)), fill=colour())
        elif kind == "r":
            draw.rectangle(_box(cx, cy, s, s * rng.uniform(0.2, 1)), fill=colour())
        elif kind == "p":
            angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randint(3, 6)))
            draw.polygon([(cx + s * math.cos(a), cy + s * math.sin(a)) for a in angles], fill=colour())
        else:
            end_point = rng.uniform(0, width), rng.uniform(0, height)
            draw.line([cx, cy, *end_point], fill=colour(), width=int(rng.uniform(3, 30) * unit))
    return image.resize(size, Image.Resampling.BOX)


def base(variant=BASE_VARIANT):
    """The picture of `orientation/`: `search.py` found it.

    At this size, of those that were tried, coding moves its score least.
    """
    return shapes(BASE_SEED, variant=variant).resize((512, 384), Image.Resampling.BICUBIC)


def textured(seed, size):
    """Shapes under a fine interference pattern, so that there is something to compress in every part."""
    rng = random.Random(seed)
    y, x = np.mgrid[0:size[1], 0:size[0]]
    pattern = sum(12 * np.sin(x * rng.uniform(-0.6, 0.6) + y * rng.uniform(-0.6, 0.6)) for _ in range(4))
    pixels = np.asarray(shapes(seed, size)) + pattern[..., None]
    return Image.fromarray(np.clip(pixels, 0, 255).round().astype(np.uint8))


def _box(cx, cy, rx, ry):
    return [cx - rx, cy - ry, cx + rx, cy + ry]


def alarm(size):
    """Drawing B: bright red with white diagonal stripes, unlike every other drawing here."""
    y, x = np.mgrid[0:size[1], 0:size[0]]
    stripe = ((x + y) * 10 // size[0]) % 4 == 0
    return Image.fromarray(np.where(stripe[..., None], (255, 255, 255), (230, 0, 0)).astype(np.uint8))


def chart(size=(160, 120)):
    """Ten hues by eight lightnesses under a ring and a triangle: 83 flat colours, so that a palette holds them all."""
    width, height = size
    image = Image.new("RGB", size)
    draw = ImageDraw.Draw(image)
    for row in range(8):
        for column in range(10):
            colour = colorsys.hls_to_rgb(column / 10 + 0.03, 0.15 + 0.1 * row, 0.6 if column else 0)
            draw.rectangle(
                [column * width // 10, row * height // 8, (column + 1) * width // 10 - 1, (row + 1) * height // 8 - 1],
                fill=tuple(round(255 * c) for c in colour))
    line = max(2, width // 20)
    draw.ellipse([width * 0.1, height * 0.2, width * 0.5, height * 0.75], outline=(240, 240, 250), width=line)
    draw.polygon([(width * 0.6, height * 0.9), (width * 0.95, height * 0.6), (width * 0.7, height * 0.1)],
                 fill=(20, 60, 160))
    draw.rectangle([width * 0.75, height * 0.45, width * 0.8, height * 0.9], fill=(250, 220, 60))
    return image


def ramp(size):
    """A soft grey picture, for alpha channels: a diagonal ramp with a disc cut into it."""
    y, x = np.mgrid[0:size[1], 0:size[0]]
    value = (x / size[0] + y / size[1]) * 127.5
    inside = np.hypot(x - size[0] * 0.55, y - size[1] * 0.5) < size[1] * 0.3
    return Image.fromarray(np.where(inside, 255 - value, value).round().astype(np.uint8))
