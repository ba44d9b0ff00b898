#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Makes the small conformance vectors that are committed: drawn pictures only, so that they carry no other licence.

Writes NAME.png, NAME.reference.png (the reference crop, 224 x 224, RGB) and vectors.json.
"""

import argparse
from pathlib import Path

from PIL import Image

import reference
from recipes import build

VECTORS = Path(__file__).parents[2] / "Tests/ConformanceTests/Vectors"
# Kind, width, height, seed, steps.
DRAWINGS = [
    ("gradient", 640, 64, 1, []),
    ("gradient", 224, 224, 2, []),
    ("radial", 257, 255, 3, []),
    ("grey-gradient", 512, 384, 4, []),
    ("blobs", 180, 240, 5, []),
    ("noise", 64, 64, 6, []),
    ("cloud", 256, 256, 8, []),
    ("checkerboard", 400, 300, 20, []),
    ("checkerboard", 64, 700, 9, []),
    ("fine-lines", 700, 500, 10, []),
    ("rings", 140, 150, 11, []),
    ("stripes", 700, 64, 12, []),
    ("tiles", 333, 444, 13, []),
    ("polygons", 700, 525, 14, []),
    # Found by a search for scores between 0.2 and 0.95 that the wrong pipelines move (see search_recipes.py).
    ("noise", 65, 115, 93477, [["hue", 27], ["warm", 0.992], ["saturation", 1.384], ["brightness", 1.395]]),
    ("noise", 73, 115, 57588, [["blur", 0.011], ["contrast", 1.329], ["saturation", 1.557]]),
    ("stripes", 233, 140, 629, [["contrast", 1.504], ["hue", 194], ["brightness", 0.856], ["saturation", 0.078],
                                ["warm", 0.795]]),
    ("polygons", 104, 78, 5643, [["saturation", 0.162], ["blur", 0.009], ["contrast", 0.482]]),
    ("tiles", 261, 104, 41753, [["contrast", 0.534], ["warm", 0.967], ["blur", 0.021], ["hue", 315],
                                ["saturation", 0.339]]),
    ("fine-lines", 92, 64, 66179, [["brightness", 1.595], ["contrast", 1.419], ["saturation", 0.03], ["warm", 0.393],
                                   ["blur", 0.007], ["hue", 216]]),
    ("gradient", 292, 219, 84268, [["contrast", 0.921], ["blur", 0.023], ["saturation", 0.106]]),
    ("radial", 203, 345, 23228, [["hue", 272], ["warm", 0.34], ["contrast", 0.45]]),
    ("blobs", 321, 417, 64971, [["saturation", 0.415], ["brightness", 0.629], ["warm", 0.759], ["blur", 0.007]]),
    ("cloud", 338, 575, 51675, [["warm", 0.566], ["brightness", 0.979], ["blur", 0.024], ["saturation", 0.47],
                                ["contrast", 0.498]]),
]


def main():
    parser = argparse.ArgumentParser(description="Make the committed conformance vectors.")
    parser.add_argument("--model", metavar="PATH", help="open-nsfw.onnx (default: the installed model)")
    parser.add_argument("--output", type=Path, default=VECTORS, metavar="DIR", help="default: %(default)s")
    arguments = parser.parse_args()

    model = reference.load_model(arguments.model)
    arguments.output.mkdir(parents=True, exist_ok=True)
    entries = []
    for kind, width, height, seed, steps in DRAWINGS:
        name = f"{kind}-{width}x{height}"
        image = build({"size": [width, height], "draw": [kind, seed], "steps": steps}, photographs=None)
        crop = reference.preprocess(image)
        image.save(arguments.output / f"{name}.png", optimize=True)
        Image.fromarray(crop).save(arguments.output / f"{name}.reference.png", optimize=True)
        entries.append({
            "path": f"{name}.png",
            "width": width,
            "height": height,
            "score": reference.score_tensor(model, reference.tensor(crop)),
            "reference": f"{name}.reference.png",
        })
    reference.write_references(arguments.output / "vectors.json", entries)
    print(f"{len(entries)} vectors in {arguments.output}")


if __name__ == "__main__":
    reference.run_command(main)
