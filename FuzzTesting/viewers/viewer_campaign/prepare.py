# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Makes what the files are made of, once for each folder: the test pattern, and pictures with known scores."""

import json
import subprocess
import sys
from pathlib import Path

from PIL import Image

from . import scoring

CONFORMANCE = Path(scoring.reference.__file__).parent
PHOTOGRAPHS = [Path("/usr/share/backgrounds/mate/nature"), Path("/usr/share/backgrounds/gnome")]
SIZE = (480, 360)
# The names of conformance pictures that score over 0.4 and below 0.05 in this size.
LISTED = Path(__file__).with_name("pictures.json")


def _pictures(folder: Path) -> None:
    """Builds the listed pictures of the conformance set."""
    from recipes import Photographs, build

    photographs = Photographs(PHOTOGRAPHS)
    recipes = {recipe["name"]: recipe for recipe in json.loads((CONFORMANCE / "recipes.json").read_text())["png"]}
    kept: dict[str, list[str]] = {}
    for kind, names in json.loads(LISTED.read_text()).items():
        kept[kind] = []
        for name in names:
            try:
                image = build(recipes[name], photographs)
            except scoring.reference.ConformanceError:
                # Without the photographs, drawings remain.
                continue
            image.resize(SIZE, Image.Resampling.BICUBIC).save(folder / f"{name}.png")
            kept[kind].append(f"{name}.png")
    (folder / "pictures.json").write_text(json.dumps(kept, indent=1) + "\n")


def prepare(folder: Path, command: Path) -> None:
    """Fills the folder, unless it has been filled."""
    if (folder / "pictures.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("pattern.png", "pattern.mp4"):
        if not (folder / name).exists():
            subprocess.run([command, "test-pattern", "--output", folder / name], check=True, stdout=subprocess.DEVNULL)
    print("making the pictures", file=sys.stderr, flush=True)
    _pictures(folder)
