#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures for `measure.py`: harmless crops that score high, by themselves and in layouts, and harmless layouts.

    make_set.py --photographs FOLDER --half report --sources 30 --harmless 500 --output SET

The photographs are JPEG files, half of which (every second in the order of their names) belong to each half. A seeded
search over crops and colours finds the parts that the model scores over 0.42. No sensitive picture is needed or fetched.
"""

import argparse
import json
import random
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

sys.path.insert(0, str(Path(__file__).parent.parent / "conformance"))

import layouts  # noqa: E402
import reference  # noqa: E402

LEAST_SCORE = 0.42
# Clothes in which the model sees more than there is; such photographs are no harmless filling.
LEFT_OUT = ("bikini", "brassiere", "maillot", "sarong", "bath", "miniskirt", "pajama")


class Search:
    """A search for crops and colours with a high score, uphill from the best of ten."""

    def __init__(self, rng):
        self.model, self.rng = reference.load_model(), rng

    def score(self, picture):
        return float(reference.score(self.model, picture))

    def first(self):
        rng = self.rng
        width, height = rng.uniform(0.45, 1), rng.uniform(0.45, 1)
        return [rng.uniform(0, 1 - width), rng.uniform(0, 1 - height), width, height, rng.choice([0, 0.2, 0.5, 1]),
                rng.uniform(0, 40), rng.uniform(0.8, 1.4), rng.uniform(0.3, 1.5), rng.uniform(0.6, 1.3)]

    def changed(self, recipe):
        recipe = list(recipe)
        for index in self.rng.sample(range(9), 3):
            recipe[index] += self.rng.gauss(0, [0.08, 0.08, 0.1, 0.1, 0.2, 12, 0.12, 0.25, 0.12][index])
        recipe[2], recipe[3] = min(recipe[2], 1 - recipe[0]), min(recipe[3], 1 - recipe[1])
        recipe[4] = max(0, min(1.2, recipe[4]))
        return recipe

    @staticmethod
    def is_possible(photograph, recipe):
        left, top, width, height = recipe[:4]
        shape = width * photograph.width / (height * photograph.height) if height > 0 else 0
        return (0.6 < shape < 1.7 and min(width, height) >= 0.4 and left >= 0 and top >= 0
                and all(0.3 < value < 2 for value in recipe[6:]))

    @staticmethod
    def made(photograph, recipe):
        left, top, width, height, share, hue, brightness, colour, contrast = recipe
        box = (left * photograph.width, top * photograph.height, (left + width) * photograph.width,
               (top + height) * photograph.height)
        levels = np.array(photograph.crop([int(edge) for edge in box]).convert("HSV"))
        levels[:, :, 0] = ((levels[:, :, 0] * share + hue) % 256).astype(np.uint8)
        picture = Image.fromarray(levels, "HSV").convert("RGB")
        changes = ((ImageEnhance.Brightness, brightness), (ImageEnhance.Color, colour), (ImageEnhance.Contrast, contrast))
        for change, value in changes:
            picture = change(picture).enhance(value)
        return picture

    def picture(self, photograph):
        """Returns a picture with a high score, at least 700 pixels wide and high; None if none is found."""
        best, goal = None, self.rng.uniform(0.45, 0.97)
        for attempt in range(45):
            recipe = self.first() if attempt < 10 or best is None else self.changed(best[1])
            if not self.is_possible(photograph, recipe):
                continue
            score = self.score(self.made(photograph, recipe))
            if best is None or score > best[0]:
                best = (score, recipe)
            if best[0] > goal or (attempt == 14 and best[0] < 0.05):
                break
        if best is None or best[0] <= LEAST_SCORE:
            return None
        picture = self.made(photograph, best[1])
        factor = max(1, 700 / min(picture.size))
        picture = picture.resize([int(side * factor) for side in picture.size], Image.Resampling.BICUBIC)
        return picture if self.score(picture) > LEAST_SCORE else None


def photographs(folders):
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix.lower() in (".jpeg", ".jpg"))
    return [path for path in files if not any(word in path.name for word in LEFT_OUT)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--photographs", required=True, type=Path, action="append", help="a folder of JPEG files; may be repeated")
    parser.add_argument("--everyday", type=Path, action="append", default=[],
                        help="a folder of further JPEG files, all of which count as photographs; none is a part of a layout")
    parser.add_argument("--half", choices=layouts.HALVES, default="report")
    parser.add_argument("--sources", type=int, default=30, help="how many pictures with a high score")
    parser.add_argument("--harmless", type=int, default=500, help="how many layouts without one")
    parser.add_argument("--seed", type=int, default=7, help="another seed draws other layouts of other parts")
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()

    half = list(layouts.HALVES).index(arguments.half)
    own = photographs(arguments.photographs)[half::2]
    search = Search(random.Random(arguments.seed + half))
    arguments.output.mkdir(parents=True, exist_ok=True)
    entries = []

    def keep(picture, **facts):
        name = f"{len(entries):05}.png"
        picture.save(arguments.output / name, compress_level=1)
        entries.append({"file": name, "size": picture.size, **facts})

    def opened(path):
        with Image.open(path) as picture:
            return picture.convert("RGB")

    scores = {path: search.score(opened(path)) for path in own}
    calm = [path for path in own if scores[path] < 0.4]
    others = [opened(path) for path in search.rng.sample(calm, min(150, len(calm)))]
    found = 0
    for path in sorted(own, key=lambda path: -scores[path]):
        if found == arguments.sources:
            break
        source = search.picture(opened(path)) if min(opened(path).size) >= 280 else None
        if source is None:
            continue
        found += 1
        keep(source, kind="plain", source=path.name, plain=search.score(source), box=[0, 0, *source.size])
        for kind, made in layouts.HALVES[arguments.half].items():
            rng = random.Random(f"{arguments.seed} {kind} {path.name}")
            function = rng.choice(made)
            # These layouts cut a picture to a square, whose score counts.
            cut = source
            if kind.startswith("collage") or function in (layouts.tall_strip, layouts.wide_strip):
                cut = ImageOps.fit(source, (min(source.size),) * 2)
            picture, box = function(cut, others, rng)
            keep(picture, kind=kind, source=path.name, plain=search.score(cut), box=[int(edge) for edge in box])
        print(f"{found} of {arguments.sources} pictures with a high score", file=sys.stderr)
    names = sorted(layouts.HARMLESS)
    for index in range(arguments.harmless):
        name, rng = names[index % len(names)], random.Random(f"{arguments.seed} harmless {arguments.half} {index}")
        keep(layouts.HARMLESS[name](others, rng), kind="harmless", source=name)
    for path in own + photographs(arguments.everyday):
        entries.append(
            {"file": str(path.resolve()), "size": opened(path).size, "kind": "photograph", "source": path.name})
    (arguments.output / "set.json").write_text(json.dumps(entries))


if __name__ == "__main__":
    main()
