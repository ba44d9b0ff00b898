#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Makes the conformance pictures from recipes.json, and scores them with the reference implementation.

Writes into the output folder:
  png/NAME.png, jpeg/NAME.jpg  the pictures
  tensors/NAME.rgb             reference crop: 224 x 224 x 3, uint8, RGB, before mean subtraction
  tensors/NAME.VARIANT.f32     wrong pipeline, as fed to the model: 224 x 224 x 3, float32 little-endian, BGR
  reference.json               sizes, scores and tensor files of all pictures, and what they were made with
"""

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from PIL import Image

import reference
from recipes import Photographs, build, save_jpeg
from reference import ConformanceError

RECIPES = Path(__file__).with_name("recipes.json")
MID_SCORES = (0.2, 0.95)
PICTURES_WITH_VARIANTS = 60
# Of the whole set. Fewer, and it no longer shows what it is meant to show: kind -> pictures, pictures with scores in the
# middle.
MINIMUM = {"png": (220, 30), "jpeg": (120, 25)}


def is_mid_score(score):
    return MID_SCORES[0] <= score <= MID_SCORES[1]


def check_photographs(expected, photographs):
    """Fails when a photograph is missing; says so when it is another version, which moves the scores."""
    for name, digest in expected.items():
        if photographs.digest(name) != digest:
            print(f"note: {name} is not the version that the recipes were found with", file=sys.stderr)


def save_png(recipe, photographs, path):
    build(recipe, photographs).save(path, "PNG", compress_level=1)


class Worker:
    """A process that makes pictures, with its own model and photographs: the model scores with one thread."""

    def __init__(self, photographs, model, output):
        self.photographs = Photographs(photographs)
        self.model = reference.load_model(model)
        self.output = output

    def make(self, kind, recipe):
        """Makes and scores the picture of a recipe."""
        save, extension = {"png": (save_png, "png"), "jpeg": (save_jpeg, "jpg")}[kind]
        path = f"{kind}/{recipe['name']}.{extension}"
        save(recipe, self.photographs, self.output / path)
        return self.measure(path)

    def measure(self, path):
        """Scores a written file, and writes its reference crop."""
        with Image.open(self.output / path) as image:
            crop = reference.preprocess(image)
            entry = {"path": path, "width": image.width, "height": image.height}
        entry["score"] = reference.score_tensor(self.model, reference.tensor(crop))
        entry["tensor"] = f"tensors/{Path(path).stem}.rgb"
        (self.output / entry["tensor"]).write_bytes(crop.tobytes())
        return entry

    def variants(self, path):
        """Scores a picture with each wrong pipeline, and writes what the model was fed."""
        variants = {}
        with Image.open(self.output / path) as image:
            for name, wrong_pipeline in reference.WRONG_PIPELINES.items():
                values = wrong_pipeline(image)
                file = f"tensors/{Path(path).stem}.{name}.f32"
                (self.output / file).write_bytes(values.astype("<f4").tobytes())
                variants[name] = {"score": reference.score_tensor(self.model, values), "tensor": file}
        return variants


# The worker of this process.
worker = None


def start_worker(*arguments):
    global worker
    worker = Worker(*arguments)


def make_one(kind, recipe):
    return worker.make(kind, recipe)


def make_variants(path):
    return worker.variants(path)


def with_variants(entries, limit):
    """All pictures with scores in the middle, and some of the others, evenly spread, up to the limit."""
    mid = [entry for entry in entries if is_mid_score(entry["score"])]
    others = [entry for entry in entries if not is_mid_score(entry["score"])]
    room = max(0, limit - len(mid))
    return mid + [others[index * len(others) // room] for index in range(room)]


def make(kind, recipes, every, pool, output):
    """Makes and scores pictures of a kind, `png` or `jpeg`, in the order of the recipes."""
    # The middle one of each: with every=3, this leaves out the one JPEG beyond the 99th percentile of differences.
    recipes = recipes[every // 2::every]
    least, least_mid = (number // every for number in MINIMUM[kind])
    entries = list(pool.map(make_one, [kind] * len(recipes), recipes, chunksize=4))
    mid = sum(is_mid_score(entry["score"]) for entry in entries)
    print(f"{len(entries)} pictures in {output / kind}, {mid} of them with scores in the middle", flush=True)
    if len(entries) < least or mid < least_mid:
        raise ConformanceError(
            f"At least {least} pictures are needed, {least_mid} of them with scores between "
            f"{MID_SCORES[0]} and {MID_SCORES[1]}; if the photographs are other versions, run search_recipes.py again."
        )
    return entries


def main():
    parser = argparse.ArgumentParser(description="Make the conformance pictures and their reference scores.")
    parser.add_argument("--photographs", nargs="+", required=True, metavar="DIR", help="folders of the photographs")
    parser.add_argument("--model", metavar="PATH", help="open-nsfw.onnx (default: the installed model)")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="make every Nth picture only (default: 1)")
    parser.add_argument("--skip-jpegs", action="store_true", help="leave out the 12-megapixel JPEGs")
    arguments = parser.parse_args()

    chosen = json.loads(RECIPES.read_text())
    kinds = ["png"] if arguments.skip_jpegs else ["png", "jpeg"]
    check_photographs(chosen["photographs"], Photographs(arguments.photographs))
    # A model that is missing or wrong is told here, once, and not by every worker.
    reference.load_model(arguments.model)

    output = arguments.output
    for folder in kinds + ["tensors"]:
        (output / folder).mkdir(parents=True, exist_ok=True)
    (output / "reference.json").unlink(missing_ok=True)
    entries = []
    with ProcessPoolExecutor(
        len(os.sched_getaffinity(0)), initializer=start_worker, initargs=(arguments.photographs, arguments.model, output)
    ) as pool:
        for kind in kinds:
            made = make(kind, chosen[kind], arguments.every, pool, output)
            if kind == "png":
                varied = with_variants(made, PICTURES_WITH_VARIANTS // arguments.every)
                paths = [entry["path"] for entry in varied]
                for entry, variants in zip(varied, pool.map(make_variants, paths, chunksize=4)):
                    entry["variants"] = variants
            entries += made
    reference.write_references(output / "reference.json", entries, arguments.every)


if __name__ == "__main__":
    reference.run_command(main)
