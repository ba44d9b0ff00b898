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
import sys
from pathlib import Path

from PIL import Image

import reference
from recipes import Photographs, build, save_jpeg
from reference import ConformanceError

RECIPES = Path(__file__).with_name("recipes.json")
MID_SCORES = (0.2, 0.95)
PICTURES_WITH_VARIANTS = 60
# Fewer, and the set no longer shows what it is meant to show: kind -> pictures, pictures with scores in the middle.
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


def measure(model, output, path):
    """Scores a written file, and writes its reference crop."""
    with Image.open(output / path) as image:
        crop = reference.preprocess(image)
        entry = {"path": path, "width": image.width, "height": image.height}
    entry["score"] = reference.score_tensor(model, reference.tensor(crop))
    entry["tensor"] = f"tensors/{Path(path).stem}.rgb"
    (output / entry["tensor"]).write_bytes(crop.tobytes())
    return entry


def add_variants(model, output, entry):
    """Scores a picture with each wrong pipeline, and writes what the model was fed."""
    entry["variants"] = {}
    with Image.open(output / entry["path"]) as image:
        for name, wrong_pipeline in reference.WRONG_PIPELINES.items():
            values = wrong_pipeline(image)
            file = f"tensors/{Path(entry['path']).stem}.{name}.f32"
            (output / file).write_bytes(values.astype("<f4").tobytes())
            entry["variants"][name] = {"score": reference.score_tensor(model, values), "tensor": file}


def with_variants(entries):
    """All pictures with scores in the middle, and some of the others, evenly spread, up to the limit."""
    mid = [entry for entry in entries if is_mid_score(entry["score"])]
    others = [entry for entry in entries if not is_mid_score(entry["score"])]
    room = max(0, PICTURES_WITH_VARIANTS - len(mid))
    return mid + [others[index * len(others) // room] for index in range(room)]


def make(kind, recipes, photographs, model, output):
    """Makes and scores all pictures of a kind, `png` or `jpeg`."""
    save, extension = {"png": (save_png, "png"), "jpeg": (save_jpeg, "jpg")}[kind]
    entries = []
    for recipe in recipes:
        path = f"{kind}/{recipe['name']}.{extension}"
        save(recipe, photographs, output / path)
        entries.append(measure(model, output, path))
    mid = sum(is_mid_score(entry["score"]) for entry in entries)
    print(f"{len(entries)} pictures in {output / kind}, {mid} of them with scores in the middle", flush=True)
    if len(entries) < MINIMUM[kind][0] or mid < MINIMUM[kind][1]:
        raise ConformanceError(
            f"At least {MINIMUM[kind][0]} pictures are needed, {MINIMUM[kind][1]} of them with scores between "
            f"{MID_SCORES[0]} and {MID_SCORES[1]}; if the photographs are other versions, run search_recipes.py again."
        )
    return entries


def main():
    parser = argparse.ArgumentParser(description="Make the conformance pictures and their reference scores.")
    parser.add_argument("--photographs", nargs="+", required=True, metavar="DIR", help="folders of the photographs")
    parser.add_argument("--model", metavar="PATH", help="open-nsfw.onnx (default: the installed model)")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--skip-jpegs", action="store_true", help="leave out the 12-megapixel JPEGs")
    arguments = parser.parse_args()

    chosen = json.loads(RECIPES.read_text())
    kinds = ["png"] if arguments.skip_jpegs else ["png", "jpeg"]
    photographs = Photographs(arguments.photographs)
    check_photographs(chosen["photographs"], photographs)
    model = reference.load_model(arguments.model)

    output = arguments.output
    for folder in kinds + ["tensors"]:
        (output / folder).mkdir(parents=True, exist_ok=True)
    (output / "reference.json").unlink(missing_ok=True)
    entries = []
    for kind in kinds:
        made = make(kind, chosen[kind], photographs, model, output)
        if kind == "png":
            for entry in with_variants(made):
                add_variants(model, output, entry)
        entries += made
    reference.write_references(output / "reference.json", entries)


if __name__ == "__main__":
    reference.run_command(main)
