# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Makes 12-megapixel JPEGs, as a camera writes them, out of freely licensed photographs.

Each source photograph gives two crops (upper left, lower right), enlarged to 4000 x 3000 with a mild grain, so
that a file has the size and the entropy of a camera's file; quality 90, 4:2:0, baseline. One more picture,
640 x 480, serves the measurement of cold starts. The same sources and versions give the same bytes.
"""

import argparse
import hashlib
import sys
from pathlib import Path

import numpy
from PIL import Image

WIDTH, HEIGHT = 4000, 3000
SMALL = (640, 480)
CROP = 0.8  # of the largest rectangle with the sides of the result
GRAIN = 6.0  # standard deviation, of 255
JPEG = {"format": "JPEG", "quality": 90, "subsampling": "4:2:0"}


def crops(photograph: Image.Image) -> list[Image.Image]:
    """The upper left and the lower right part, each with sides of 4 to 3."""
    width, height = photograph.size
    scale = min(width / WIDTH, height / HEIGHT) * CROP
    part_width, part_height = int(WIDTH * scale), int(HEIGHT * scale)
    corners = [(0, 0), (width - part_width, height - part_height)]
    return [photograph.crop((x, y, x + part_width, y + part_height)) for x, y in corners]


def with_grain(picture: Image.Image, name: str) -> Image.Image:
    """The picture with normally distributed noise in its brightness, seeded by its name."""
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    noise = numpy.random.default_rng(seed).standard_normal((picture.height, picture.width), dtype=numpy.float32)
    grain = numpy.rint(noise * GRAIN).astype(numpy.int16)
    pixels = numpy.asarray(picture).astype(numpy.int16) + grain[:, :, None]
    return Image.fromarray(numpy.clip(pixels, 0, 255).astype(numpy.uint8))


def make(sources: list[Path], count: int, folder: Path) -> None:
    """Writes `photographs/*.jpg` and `small.jpg` into the folder."""
    photographs = folder / "photographs"
    photographs.mkdir(parents=True, exist_ok=True)
    made = 0
    for source in sources:
        with Image.open(source) as opened:
            photograph = opened.convert("RGB")
        for number, part in enumerate(crops(photograph), start=1):
            if made == count:
                return
            name = f"{source.stem}-{number}.jpg"
            enlarged = part.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
            if made == 0:
                part.resize(SMALL, Image.Resampling.LANCZOS).save(folder / "small.jpg", **JPEG)
            with_grain(enlarged, name).save(photographs / name, **JPEG)
            made += 1
    if made < count:
        sys.exit(f"{len(sources)} source photographs give {made} pictures; {count} were asked for.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="folder with JPEG photographs, at least 1280 x 1024")
    parser.add_argument("folder", type=Path, help="where to write photographs/*.jpg and small.jpg")
    parser.add_argument("--count", type=int, default=24, help="number of pictures (default: %(default)s)")
    arguments = parser.parse_args()
    sources = sorted(arguments.source.glob("*.jpg"))
    if not sources:
        sys.exit(f"No photographs (*.jpg) in {arguments.source}.")
    make(sources, arguments.count, arguments.folder)


if __name__ == "__main__":
    main()
