# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Makes what the files are made of, once for each folder: the test pattern, and pictures with known scores."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image

from . import scoring
from .looking import model_input

CONFORMANCE = Path(scoring.reference.__file__).parent
PHOTOGRAPHS = [Path("/usr/share/backgrounds/mate/nature"), Path("/usr/share/backgrounds/gnome")]
SIZE = (480, 360)
SCENE, CALM = 0.4, 0.05
MOST = 60


def _pictures(folder: Path) -> None:
    """Builds pictures of the conformance set, and keeps those with high and with low scores."""
    from recipes import Photographs, build

    photographs = Photographs(PHOTOGRAPHS)
    scorer = scoring.Scorer()
    kept: dict[str, list[str]] = {"scenes": [], "calm": []}
    for recipe in json.loads((CONFORMANCE / "recipes.json").read_text())["png"]:
        if min(recipe["size"]) < 100:
            continue
        try:
            image = build(recipe, photographs).resize(SIZE, Image.Resampling.BICUBIC)
        except scoring.reference.ConformanceError:
            # Without the photographs, drawings remain.
            continue
        scorer.begin()
        score = scorer.score(model_input(np.asarray(image)))
        kind = "scenes" if score >= SCENE else "calm" if score <= CALM else ""
        if kind and len(kept[kind]) < MOST:
            image.save(folder / f"{recipe['name']}.png")
            kept[kind].append(f"{recipe['name']}.png")
    (folder / "pictures.json").write_text(json.dumps(kept, indent=1) + "\n")


def prepare(folder: Path, command: Path) -> None:
    """Fills the folder, unless it has been filled."""
    if (folder / "pictures.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("pattern.png", "pattern.mp4"):
        subprocess.run([command, "test-pattern", "--output", folder / name], check=True, stdout=subprocess.DEVNULL)
    print("making the pictures, about a minute", file=sys.stderr, flush=True)
    _pictures(folder)
