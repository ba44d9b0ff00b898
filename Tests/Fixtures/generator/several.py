# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`several/`: files with more than one picture. The first is a drawing, the others are not like it."""

import dataclasses

import numpy as np
from PIL import Image

from . import drawings, encoders, photoshop, png, tiff
from .isobmff import box, picture_track, write_heif
from .saving import saved

SIZE = (96, 72)  # libheif wraps a side below 64 in a grid
SMALLER = (80, 64)
MILLISECONDS = 200


def make(write):
    """Writes the folder; `write(name, bytes)`."""
    frames = pictures()
    animation = {"save_all": True, "append_images": frames[1:], "duration": MILLISECONDS, "loop": 0}
    for number, frame in enumerate(frames, 1):
        write(f"frame-{number}.png", saved(frame, "PNG", optimize=True))
    animated = saved(frames[0], "PNG", **animation)
    write("animated.png", animated)
    write("animated.gif", saved(frames[0], "GIF", disposal=1, **animation))
    write("still.gif", saved(frames[0], "GIF"))
    write("animated.webp", saved(frames[0], "WEBP", lossless=True, **animation))
    write("animated.jxl", encoders.jxl(animated, "-d", "0"))
    write("pages.tiff", tiff.write([tiff.Directory(np.asarray(f), 2) for f in frames]))
    unequal = [frames[0], frames[1].resize(SMALLER), frames[2]]
    write("pages-unequal.tiff", tiff.write([tiff.Directory(np.asarray(f), 2) for f in unequal]))
    planes = [np.moveaxis(np.asarray(frame), 2, 0) for frame in frames]
    opaque = np.full((1, *planes[0].shape[1:]), 255, np.uint8)
    last = np.concatenate([planes[2], opaque])
    for name, compressions in {
        "layers.psd": (photoshop.RUNS, photoshop.RAW), "layers-packed.psd": (photoshop.PACKED, photoshop.DIFFERENCES),
    }.items():
        layers = list(zip((planes[1], last), compressions))
        write(name, photoshop.write(planes[0], photoshop.RGB, layers=layers, block=True))
    _make_parts(write, frames)
    _make_heif(write, frames)


def _make_parts(write, frames):
    """An animation of 16 bits whose frames are parts: drawn over, brought back, cleared and covered."""
    parts = [_wide(frames[0]), _wide(frames[1].resize((48, 36))), _wide(frames[2].resize((40, 30))),
             _wide(frames[1].resize((40, 30)))]
    parts[1][..., 3] = np.linspace(0, 65535, 48)
    controls = [(0, 0, 0, 0), (24, 18, 2, 1), (8, 8, 1, 0), (8, 8, 0, 1)]
    write("parts.png", png.animation(parts, controls, SIZE, MILLISECONDS))
    first = np.asarray(frames[0]).astype(float)
    shown = [first]
    for part, (x, y, *_) in zip(parts[1:], controls[1:]):
        height, width = part.shape[:2]
        opacity = part[..., 3:] / 65535
        picture = first.copy()
        below = picture[y:y + height, x:x + width]
        picture[y:y + height, x:x + width] = part[..., :3] / 257 * opacity + below * (1 - opacity)
        shown.append(picture)
    for number, picture in enumerate(shown, 1):
        write(f"parts-{number}.png", saved(Image.fromarray(picture.round().astype(np.uint8)), "PNG", optimize=True))


def _wide(image):
    """The pixels of an opaque picture, with four samples of 16 bits."""
    opaque = np.full((image.height, image.width, 1), 255)
    return np.concatenate([np.asarray(image), opaque], axis=2).astype(np.uint16) * 257


def pictures():
    """Three pictures: a drawing, the red alarm, and another drawing."""
    return [drawings.shapes(11, SIZE), drawings.alarm(SIZE), drawings.shapes(23, SIZE)]


def _make_heif(write, frames):
    items = [encoders.heic_item(frame) for frame in frames]
    configuration = box("hvcC", items[0].property("hvcC"))
    assert all(box("hvcC", item.property("hvcC")) == configuration for item in items), "one configuration for all"
    track = picture_track([item.data for item in items], "hvc1", configuration, SIZE, 1000, MILLISECONDS)
    brands = ("hevc", "msf1", "iso8", "mif1", "heic")
    write("sequence.heic", write_heif({1: items[0]}, major="hevc", brands=brands, movie=track))
    write("sequence-as-heic.heic", write_heif({1: items[0]}, major="heic", brands=brands, movie=track))
    write("track-only.heic", write_heif({}, major="msf1", brands=brands[:3], movie=track))
    write("two-images.heic", write_heif({1: items[0], 2: items[1]}))
    smaller = encoders.heic_item(frames[1].resize(SMALLER))
    write("two-images-unequal.heic", write_heif({1: items[0], 2: smaller}))

    coded = [encoders.avif_item(frame) for frame in frames]
    layers = [coded[0].data, encoders.avif_item(frames[1].resize(SMALLER)).data, coded[2].data]
    write("layers.avif", write_heif({1: dataclasses.replace(coded[0], data=b"".join(layers))}, major="avif"))
    configuration = box("av1C", coded[0].property("av1C"))
    track = picture_track([item.data for item in coded], "av01", configuration, SIZE, 1000, MILLISECONDS)
    brands = ("avis", "msf1", "iso8", "avif", "mif1", "miaf")
    write("sequence.avif", write_heif({1: coded[0]}, major="avis", brands=brands, movie=track))
    write("sequence-as-avif.avif", write_heif({1: coded[0]}, major="avif", brands=brands, movie=track))
