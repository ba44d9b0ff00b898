#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Makes and checks the media fixtures in this folder. The files are committed; this is how they came about.

    make_fixtures.py --model open-nsfw.onnx             make all, check all, write orientation/scores.json
    make_fixtures.py --model open-nsfw.onnx --check     check what is there
    make_fixtures.py --model open-nsfw.onnx --search 1000   look for another base drawing

Needs Python 3.11 with numpy, onnxruntime, Pillow 11.3 or later (AVIF), pillow-heif, tifffile and av from PyPI, and the
tools of Debian 12's packages libheif-examples (with libheif's x265), libavif-bin and libjxl-tools. The same versions
write the same bytes; others may not, so remake a folder only for a reason, with `--only`.
"""

import argparse
import shutil
from pathlib import Path

from generator import alpha, bmps, checks, colour, deceptive, encoders, orientation, plain, search, several, simple, tiles
from generator.reference_score import Scorer

HERE = Path(__file__).resolve().parent

# A folder's name, what makes it and what checks it with readers that had no part in making it.
SECTIONS = {
    "orientation": (orientation.make, checks.check_orientation),
    "colour": (colour.make, checks.check_colour),
    "colour/bmp": (bmps.make, checks.check_bmps),
    "colour/simple": (simple.make, checks.check_simple),
    "alpha": (alpha.make, checks.check_alpha),
    "several": (several.make, checks.check_several),
    "deceptive": (deceptive.make, checks.check_deceptive),
    "plain": (plain.make, checks.check_plain),
    "tiles": (tiles.make, checks.check_tiles),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True, help="the ONNX file of open_nsfw")
    parser.add_argument("--output", type=Path, default=HERE, help="the folder to write to (default: this one)")
    parser.add_argument("--only", action="append", choices=SECTIONS, help="make or check this folder alone")
    parser.add_argument("--check", action="store_true", help="make nothing")
    parser.add_argument("--search", type=int, metavar="SEEDS", help="try so many base drawings and list the best")
    arguments = parser.parse_args()
    scorer = Scorer(arguments.model)
    if arguments.search:
        search.search(scorer, arguments.search)
        return
    missing = [tool for tool in encoders.TOOLS if not shutil.which(tool)]
    if missing:
        parser.error(f"not installed: {', '.join(missing)}")
    for name, (make, check) in SECTIONS.items():
        if arguments.only and name not in arguments.only:
            continue
        folder = arguments.output / name
        if not arguments.check:
            folder.mkdir(parents=True, exist_ok=True)
            make(lambda file, data, folder=folder: (folder / file).write_bytes(data))
        print(f"{name}/")
        check(folder, scorer)


if __name__ == "__main__":
    main()
