# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Samples of a picture as arrays: channels, alpha and extra samples, depths and palettes."""

import numpy as np
from PIL import Image

from .content import Content, ordered
from .draw import Draw

ALPHA = ("opaque", "all 0", "pattern in alpha", "half", "hidden in a part", "1 of 255")


def alpha(draw: Draw, content: Content, subject: Image.Image) -> tuple[np.ndarray, np.ndarray]:
    """The colours and the fourth sample of a picture: arrays of 8 bits, height x width x 3 and height x width."""
    colours = np.asarray(subject)
    height, width = colours.shape[:2]
    kind = draw.choose("alpha", ALPHA, 0.3)
    if kind == "pattern in alpha":
        return np.full_like(colours, draw.choose("colour below alpha", ("0", "255")) == "255" and 255), np.where(
            ordered(subject), 255, 0
        ).astype(np.uint8)
    if kind == "hidden in a part":
        shown = np.asarray(content.cover.resize(subject.size))
        mask = np.zeros((height, width), np.uint8)
        mask[: height // 8] = 255
        return np.where(mask[..., None] > 0, shown, colours), mask
    level = {"opaque": 255, "all 0": 0, "half": 128, "1 of 255": 1}[kind]
    return colours, np.full((height, width), level, np.uint8)


def deepened(samples: np.ndarray, depth: int, low_byte: bool = False) -> np.ndarray:
    """Samples of 8 bits in 16; with `low_byte`, their upper byte is constant and only the lower differs."""
    if depth == 8:
        return samples
    wide = samples.astype(np.uint16)
    return (0x7F00 | wide) if low_byte else wide * 257


def packed(rows: np.ndarray, depth: int) -> np.ndarray:
    """Rows of small samples (1, 2, 4 bits), packed into bytes, the first in the upper bits."""
    per_byte = 8 // depth
    height, width = rows.shape
    padded = np.zeros((height, -(-width // per_byte) * per_byte), np.uint8)
    padded[:, :width] = rows
    result = np.zeros((height, padded.shape[1] // per_byte), np.uint8)
    for place in range(per_byte):
        result |= padded[:, place::per_byte] << (8 - depth * (place + 1))
    return result


def grey(image: Image.Image, depth: int) -> np.ndarray:
    """The picture in grey with so many bits, dithered where there are few."""
    if depth == 1:
        return ordered(image).astype(np.uint8)
    samples = np.asarray(image.convert("L"))
    return samples if depth == 8 else (samples >> (8 - depth)).astype(np.uint8)


def palette(image: Image.Image, depth: int) -> tuple[np.ndarray, bytes]:
    """Indices and colours (three bytes each) of the picture with a palette."""
    few = image.quantize(2**depth, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    colours = bytes(few.getpalette() or [])[: 3 * 2**depth]
    return np.asarray(few), colours.ljust(3 * 2**depth, b"\0")
