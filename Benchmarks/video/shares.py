#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What share of half a second of the test pattern each preset finds, over material that hides it in the sizes of
packets: a shaking hand, grain, a constant bit rate, and a pattern that hardly shows. Prints a table for
docs/video-sampling.md. Takes about twenty minutes."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "IntegrationTests"))

from support import videos  # noqa: E402
from support.command import Command, temporary_folder  # noqa: E402

SIZE = (480, 270)
SECONDS = 30
STARTS = [0.0, 4.1, 10.2, 15.3, 21.1, 29.1]
CONSTANT = ["-c:v", "libx264", "-preset", "veryfast", "-b:v", "1M", "-minrate", "1M", "-maxrate", "1M", "-bufsize",
            "500k", "-x264-params", "nal-hrd=cbr"]
DEFAULT = ["-c:v", "libx264", "-preset", "veryfast"]
LONG = [*DEFAULT, "-sc_threshold", 0, "-g", 250]
CASES = {
    "shaking hand and grain, encoder defaults": ("shake", DEFAULT, 1),
    "shaking hand and grain, no scene cuts, groups of 250": ("shake", LONG, 1),
    "shaking hand and grain, constant bit rate": ("shake", CONSTANT, 1),
    "slow pan, constant bit rate": ("pan", CONSTANT, 1),
    "slow pan, no scene cuts, pattern at an opacity of a quarter": ("pan", LONG, 0.25),
    "cuts every 0.6 s, no scene cuts in the encoder": ("cuts", LONG, 1),
}
PRESETS = {"fast": ["--preset", "fast"], "balanced": [], "thorough": ["--preset", "thorough"],
           "descriptive policy": ["--policy", "descriptive"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--length", type=float, default=0.5, help="how long the pattern is shown, in seconds")
    arguments = parser.parse_args()
    os.environ.setdefault("SCA_BUILD", str(ROOT / ".build/release"))
    print("| material | " + " | ".join(PRESETS) + " |\n| - |" + " -: |" * len(PRESETS))
    with temporary_folder() as folder:
        command = Command(folder / "program")
        pattern = folder / "pattern.png"
        subprocess.run([command.path, "test-pattern", "--output", pattern], check=True)
        for name, (scene, encoder, opacity) in CASES.items():
            files = []
            for start in STARTS:
                insertion = videos.Insertion(start, arguments.length, opacity)
                source = videos.with_pattern(
                    folder, pattern, videos.scene(folder, scene, SECONDS, SIZE), [insertion], SIZE)
                path = folder / f"{len(files)}.mp4"
                videos.must("-i", source, "-pix_fmt", "yuv420p", *encoder, path)
                source.unlink()
                files.append(path)
            cells = []
            for options in PRESETS.values():
                lines = command.analyze([*options, *files], 3600, environment={"SCA_TEST_MODE": "1"}).lines
                found = sum(line["verdict"] == "sensitive" for line in lines)
                cells.append(f"{found} of {len(files)}")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


main()
