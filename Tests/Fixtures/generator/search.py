# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Looks for a base drawing whose score tells the eight orientations apart."""

import io

from PIL import Image, ImageOps

from . import drawings, exif
from .orientation import STORED, stored
from .saving import saved


def search(scorer, count):
    """Lists seeds, then variants of the base seed, by what ignoring an orientation changes, less what coding does."""
    for name, draw in (("seed", drawings.shapes), ("variant", drawings.base)):
        found = []
        for number in range(count):
            image = draw(number)
            upright = scorer.score(image)
            if upright < 0.25:
                continue
            ignored = scorer.scores([stored(image, orientation) for orientation in list(STORED)[1:]])
            margin = min(abs(score - upright) for score in ignored)
            if margin > 0.1:
                found.append((margin - 10 * _lossy_shift(scorer, image, upright), number, upright, margin))
        for rank, number, upright, margin in sorted(found, reverse=True)[:10]:
            print(f"{name} {number}: score {upright:.3f}, margin {margin:.3f}, rank {rank:.3f}")


def _lossy_shift(scorer, image, upright):
    """The largest change of score under quality-95 coding, in any of the eight stored forms."""
    shown = []
    for orientation in STORED:
        for kind, options in (("JPEG", {"subsampling": 0}), ("WEBP", {"method": 6})):
            coded = saved(stored(image, orientation), kind, quality=95, exif=exif.orientation(orientation), **options)
            shown.append(ImageOps.exif_transpose(Image.open(io.BytesIO(coded))))
    return max(abs(score - upright) for score in scorer.scores(shown))
