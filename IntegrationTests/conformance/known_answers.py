#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Claim: the known answers in the default model's manifest are the scores that an independent implementation gives to the
same drawings, and each wrong pipeline gives others.

Draws with numpy what Sources/ModelInference/Runner/KnownDrawing.swift draws, and scores with reference.py. The shapes
of the first drawing were found at random: 120 rounds of a search that keeps the twenty drawings with the highest scores
and moves one ellipse of each by some 30 pixels and 10 levels."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image

import reference

MANIFEST = Path(__file__).resolve().parents[2] / "Resources/models/open-nsfw/manifest.json"
WIDTH, HEIGHT = 640, 480
# Background; ellipses as x, y, half axes, colour; texture.
DRAWINGS = [
    ((214, 24, 150), [
        (207, 65, 20, 212, (190, 177, 86)), (368, 274, 158, 97, (173, 119, 122)), (455, 367, 217, 128, (235, 131, 138)),
        (354, 315, 232, 74, (226, 134, 119)), (131, 186, 316, 109, (221, 174, 125)),
        (120, 180, 255, 164, (186, 133, 139)), (199, 406, 107, 217, (240, 123, 121))], (73, 46, 25, 31)),
    ((40, 120, 200), [
        (200, 160, 150, 90, (240, 220, 60)), (460, 330, 110, 130, (30, 160, 70))], (13, 29, 37, 48)),
]


def draw(background, ellipses, texture):
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.int64)
    picture = np.empty((HEIGHT, WIDTH, 3), np.int64)
    picture[:] = background
    for center_x, center_y, width, height, color in ellipses:
        distance = (x - center_x) ** 2 * 1024 // width**2 + (y - center_y) ** 2 * 1024 // height**2
        opacity = np.minimum(np.maximum(1024 - distance, 0) * 3, 1024)[..., np.newaxis]
        picture = (picture * (1024 - opacity) + np.array(color) * opacity) // 1024
    factor_x, factor_y, product, levels = texture
    grain = (x * factor_x + y * factor_y + x * y % product) % levels - levels // 2
    return Image.fromarray(np.clip(picture + grain[..., np.newaxis], 0, 255).astype(np.uint8))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--manifest", type=Path, default=MANIFEST)
    arguments = parser.parse_args()
    known = json.loads(arguments.manifest.read_text())["knownAnswers"]
    model = reference.load_model()
    pictures = [draw(*drawing) for drawing in DRAWINGS]
    problems = []
    for expected, picture in zip(known["scores"], pictures, strict=True):
        score = reference.score(model, picture)
        print(f"{score:.6f}, and the manifest says {expected[0]:.6f}")
        # Two implementations of the same sums round differently.
        if abs(score - expected[0]) > reference_difference(known):
            problems.append(f"the reference gives {score:.6f} where the manifest says {expected[0]:.6f}")
    for name, pipeline in reference.WRONG_PIPELINES.items():
        distances = [abs(reference.score_tensor(model, pipeline(picture)) - expected[0])
                     for expected, picture in zip(known["scores"], pictures, strict=True)]
        print(f"{name}: off by {max(distances):.4f}")
        if max(distances) <= 2 * known["tolerance"]:
            problems.append(f"the wrong pipeline {name} is off by {max(distances):.4f} only")
    for problem in problems:
        print(f"FAILED: known_answers: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


def reference_difference(known):
    """The largest difference between this and the Swift resampler that is no mistake."""
    return 3 * known["tolerance"]


main()
