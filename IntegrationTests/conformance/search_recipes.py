#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Finds the recipes in recipes.json; needed only to change the set of pictures, and takes some minutes.

Most pictures are chosen blindly. The ones with `mid-` in their names are found by a seeded search over crops and colour
changes for reference scores between 0.2 and 0.95, where a mistake in the preprocessing moves the score most.
"""

import argparse
import copy
import io
import json
import random
from pathlib import Path

from PIL import Image

import reference
from drawings import KINDS
from recipes import Photographs, build, save_jpeg

PHOTOGRAPHS = (
    "Aqua.jpg Blinds.jpg Dune.jpg FreshFlower.jpg Garden.jpg GreenMeadow.jpg LadyBird.jpg RainDrops.jpg Storm.jpg "
    "TwoWings.jpg Wood.jpg YellowFlower.jpg adwaita-d.webp adwaita-l.webp grid-d.webp grid-l.webp licorice-d.webp "
    "licorice-l.webp symbolic-d.webp symbolic-l.webp truchet-d.webp truchet-l.webp wood-d.webp wood-l.webp"
).split()
# Sizes around the model's own, and the narrowest shapes.
SPECIAL_SIZES = [
    (224, 224), (255, 257), (256, 256), (257, 255), (512, 512), (448, 448), (60, 60), (60, 2000), (2000, 60),
    (97, 1801), (1999, 101), (2000, 1500), (1500, 2000), (640, 480), (480, 640), (300, 61),
]
# How often a step is taken, and the range of its strength. Little blur: a blurred picture hides how it was resized.
STEPS = {
    "hue": (0.5, 0, 355), "warm": (0.5, 0.1, 1), "saturation": (0.4, 0, 1.8), "brightness": (0.4, 0.6, 1.6),
    "contrast": (0.4, 0.4, 1.6), "noise": (0.2, 4, 60), "blur": (0.1, 0.003, 0.03),
}
TARGETS = (0.26, 0.88)
ACCEPTED = (0.23, 0.92)
MID_SCORE_JPEGS = 34
DETAILED_KINDS = {"noise", "checkerboard", "fine-lines", "rings"}


class Search:
    def __init__(self, photographs, model, seed):
        self.photographs = photographs
        self.model = model
        self.random = random.Random(seed)
        self.operations = list(STEPS)

    def size(self, most_pixels=1_500_000):
        """Sides from 60 to 2000, small ones as likely as large ones; one in four may be very long or very high."""
        longest = self.random.choice([2, 2, 3, 12])
        while True:
            width, height = (round(60 * (2000 / 60) ** self.random.random()) for _ in range(2))
            if width * height <= most_pixels and max(width, height) <= longest * min(width, height):
                return [width, height]

    def crop(self, name, least=0.15):
        width, height = self.random.uniform(least, 1), self.random.uniform(least, 1)
        left, top = self.random.uniform(0, 1 - width), self.random.uniform(0, 1 - height)
        return [name] + [round(edge, 3) for edge in (left, top, left + width, top + height)]

    def step(self, operation):
        _, low, high = STEPS[operation]
        if operation == "noise":
            return [operation, self.random.randint(low, high), self.random.randrange(100_000)]
        value = self.random.randint(low, high) if operation == "hue" else round(self.random.uniform(low, high), 3)
        return [operation, value]

    def steps(self, likelihood=1):
        chosen = [name for name in self.operations if self.random.random() < likelihood * STEPS[name][0]]
        return [self.step(name) for name in chosen]

    def photo(self, name, size, **options):
        return {"size": size, "photo": self.crop(name, **options), "steps": self.steps()}

    def drawing(self, kind, size, likelihood=1):
        return {"size": size, "draw": [kind, self.random.randrange(100_000)], "steps": self.steps(likelihood)}

    def collage(self, size):
        columns, rows = self.random.randint(1, 3), self.random.randint(2, 3)
        photos = [self.crop(self.random.choice(PHOTOGRAPHS)) for _ in range(columns * rows)]
        return {"size": size, "columns": columns, "collage": photos, "steps": self.steps(0.4)}

    def mutated(self, recipe):
        """A copy with one thing changed: an edge of the crop, the seed of the drawing, or a step."""
        recipe = copy.deepcopy(recipe)
        if "photo" in recipe and self.random.random() < 0.4:
            for edge in range(1, 5):
                moved = recipe["photo"][edge] + self.random.gauss(0, 0.06)
                low, high = (0, recipe["photo"][edge + 2] - 0.1) if edge < 3 else (recipe["photo"][edge - 2] + 0.1, 1)
                recipe["photo"][edge] = round(min(max(moved, low), high), 3)
        elif "draw" in recipe and self.random.random() < 0.3:
            recipe["draw"][1] = self.random.randrange(100_000)
        else:
            operation = self.random.choice(self.operations)
            recipe["steps"] = [step for step in recipe["steps"] if step[0] != operation]
            if self.random.random() < 0.8:
                recipe["steps"].insert(self.random.randint(0, len(recipe["steps"])), self.step(operation))
        return recipe

    def score(self, recipe, scale=1):
        return reference.score(self.model, build(recipe, self.photographs, scale))

    def mid_score(self, make, scale=1, tries=80):
        """Walks towards a random score between the targets; None when it ends outside the accepted range."""
        target = self.random.uniform(*TARGETS)
        best, best_score = None, -1.0
        for attempt in range(tries):
            candidate = make() if attempt < 12 else self.mutated(best)
            found = self.score(candidate, scale)
            if abs(found - target) < abs(best_score - target):
                best, best_score = candidate, found
            if abs(best_score - target) < 0.04:
                break
        return best if ACCEPTED[0] <= best_score <= ACCEPTED[1] else None

    def jpeg_options(self, index):
        chroma, progressive = ("4:2:0", "4:4:4")[index // 2 % 2], index % 11 == 5
        grain = [self.random.randint(2, 7), self.random.randrange(100_000)]
        return {"jpeg": [self.random.randint(80, 95), chroma, progressive], "grain": grain}

    def pngs(self):
        chosen = []
        for index, name in enumerate(PHOTOGRAPHS):
            chosen.append(("photo", {"size": self.size(), "photo": [name, 0, 0, 1, 1], "steps": []}))
            chosen += [("photo", self.photo(name, self.size())) for _ in range(2)]
            size = list(SPECIAL_SIZES[index % len(SPECIAL_SIZES)])
            chosen.append(("photo", self.photo(name, size)))
        chosen += [("collage", self.collage(self.size())) for _ in range(24)]
        for kind in KINDS:
            for index in range(5):
                size = self.size(300_000 if kind in DETAILED_KINDS else 1_500_000)
                size = list(SPECIAL_SIZES[self.random.randrange(11)]) if index == 4 else size
                chosen.append((kind, self.drawing(kind, size, likelihood=0.2)))
        for name in PHOTOGRAPHS * 2:
            chosen.append(("mid-photo", self.mid_score(lambda: self.photo(name, self.size(700_000)))))
        for kind in list(KINDS) * 2:
            chosen.append((f"mid-{kind}", self.mid_score(lambda: self.drawing(kind, self.size(200_000)))))
        return named(chosen)

    def jpegs(self):
        self.operations.remove("noise")  # They get grain, at their full size.
        chosen = []
        shapes = [[4000, 3000], [3000, 4000]]
        for name in PHOTOGRAPHS:
            chosen += [("photo", self.photo(name, shapes[index % 2], least=0.5)) for index in range(3)]
        chosen += [("collage", self.collage(shapes[index % 2])) for index in range(14)]
        chosen += [(kind, self.drawing(kind, shapes[0])) for kind in ("gradient", "radial", "blobs", "cloud") * 2]
        chosen = [(label, recipe | self.jpeg_options(index)) for index, (label, recipe) in enumerate(chosen)]
        mid = []
        for index, name in enumerate(PHOTOGRAPHS * 4):
            if len(mid) < MID_SCORE_JPEGS and (recipe := self.mid_score_jpeg(name, shapes[index % 2], index)):
                mid.append(("mid-photo", recipe))
        return named(chosen + mid, prefix="large-")

    def mid_score_jpeg(self, name, size, index):
        """Searches on a small picture without grain; None when the score is elsewhere for the JPEG to be written."""
        recipe = self.mid_score(lambda: self.photo(name, size, least=0.4), scale=8)
        if recipe is None:
            return None
        recipe |= self.jpeg_options(index)
        with io.BytesIO() as file:
            save_jpeg(recipe, self.photographs, file)
            found = reference.score(self.model, Image.open(file))
        return recipe if ACCEPTED[0] <= found <= ACCEPTED[1] else None


def is_mid(recipe):
    return "mid-" in recipe["name"]


def named(chosen, prefix=""):
    """Drops what the search did not find, and numbers the rest."""
    counts, recipes = {}, []
    for label, recipe in chosen:
        if recipe is not None:
            counts[label] = counts.get(label, 0) + 1
            recipes.append({"name": f"{prefix}{label}-{counts[label]:03}"} | recipe)
    return recipes


def write(path, photographs, png, jpeg):
    """One recipe a line, so that a change to the set can be reviewed."""
    digests = {name: photographs.digest(name) for name in PHOTOGRAPHS}
    parts = ['"schema": 1', f'"photographs": {json.dumps(digests, indent=0)}']
    for key, recipes in (("png", png), ("jpeg", jpeg)):
        lines = ",\n".join(json.dumps(recipe, separators=(",", ":")) for recipe in recipes)
        parts.append(f'"{key}": [\n{lines}\n]')
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description="Search for the recipes of the conformance pictures.")
    parser.add_argument("--photographs", nargs="+", required=True, metavar="DIR", help="folders of the photographs")
    parser.add_argument("--model", metavar="PATH", help="open-nsfw.onnx (default: the installed model)")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("recipes.json"), metavar="FILE")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    photographs = Photographs(arguments.photographs)
    search = Search(photographs, reference.load_model(arguments.model), arguments.seed)
    png, jpeg = search.pngs(), search.jpegs()
    write(arguments.output, photographs, png, jpeg)
    for kind, recipes in (("PNG", png), ("JPEG", jpeg)):
        mid = sum(map(is_mid, recipes))
        print(f"{len(recipes)} {kind} recipes, {mid} with scores in the middle")


if __name__ == "__main__":
    reference.run_command(main)
