# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Copies of damaged files, made by `sca analyze --copy-to`.

Claim: no damaged file ends the command, and two programs open each copy without a warning."""

import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

from PIL import Image

from .lane import Settings

FIXTURES = Path(__file__).resolve().parents[3] / "Tests/Fixtures"
# The files are small, so that most time goes into copies.
LARGEST = 60_000
BATCH, LONGEST_EDGE, SECONDS = 100, 256, 600
ENDINGS = (".jpg", ".png", ".webp", ".heic", ".avif", ".jxl", ".gif", ".tiff", ".bmp", ".mp4", ".webm", ".mkv", ".ts", ".avi")


def damaged(data: bytes, source: random.Random) -> bytes:
    """The bytes of a file with a few changes, half of them among the first bytes, where sizes and offsets are."""
    content = bytearray(data)
    for _ in range(source.choice((1, 1, 1, 2, 2, 3, 5))):
        place = source.randrange(min(len(content), 512) if source.random() < 0.5 else len(content))
        kind = source.randrange(5)
        if kind == 0:
            content[place] ^= 1 << source.randrange(8)
        elif kind == 1:
            content[place] = source.choice((0, 1, 127, 128, 254, 255))
        elif kind == 2:
            content[place : place + source.randrange(1, 200)] = bytes()
        elif kind == 3:
            content[place:place] = content[place : place + source.randrange(1, 200)]
        else:
            content[place:] = bytes()
        if not content:
            return data[:1]
    return bytes(content)


def problem_of(path: Path) -> str:
    """What Pillow or FFmpeg's program says of a copy; empty if both open it without a warning."""
    is_animation = False
    if path.suffix != ".mp4":
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                with Image.open(path) as image:
                    is_animation = getattr(image, "n_frames", 1) > 1
                    for number in range(getattr(image, "n_frames", 1)):
                        image.seek(number)
                        image.load()
        except Exception as error:  # pylint: disable=broad-exception-caught
            return f"Pillow: {error}"
    # FFmpeg 5 reads no animated WebP.
    if is_animation and path.suffix == ".webp":
        return ""
    run = subprocess.run(
        ["ffmpeg", "-v", "warning", "-nostdin", "-i", path, "-f", "null", "-"], capture_output=True, text=True, timeout=60,
        check=False)
    words = run.stderr.strip()
    # FFmpeg 5 says so of some small JPEG files that end as they should, also of those that Pillow writes.
    if words.endswith("EOI missing, emulating") and "\n" not in words and path.read_bytes().endswith(b"\xff\xd9"):
        words = ""
    return f"ffmpeg: {run.returncode}, {words[:200]}" if run.returncode or words else ""


def _batch(task: tuple[Settings, int]) -> dict[str, Any]:
    """The outcome for one folder of damaged files."""
    settings, number = task
    source = random.Random(f"{settings.seed} {number}")
    folder = settings.folder / "mutated" / str(number)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    seeds = [path for path in sorted(FIXTURES.rglob("*")) if path.suffix in ENDINGS and path.stat().st_size < LARGEST]
    for index in range(BATCH):
        seed = source.choice(seeds)
        (folder / "files" / f"{index:03d}{seed.suffix}").write_bytes(damaged(seed.read_bytes(), source))
    run = subprocess.run(
        [settings.command, "analyze", "-r", "--format", "jsonl", "--copy-to", "copies", "--max-size", str(LONGEST_EDGE), "--",
         "files"],
        cwd=folder, env={**os.environ, "SCA_TEST_MODE": "1"}, capture_output=True, text=True, timeout=SECONDS, check=False)
    row: dict[str, Any] = {"number": number, "failures": [], "copies": 0, "codes": {}}
    if run.returncode not in (0, 1, 2):
        row["failures"].append(f"exit code {run.returncode}, {run.stderr[-300:]}")
    for text in run.stdout.splitlines():
        line = json.loads(text)
        code = line.get("error", {}).get("code", line["verdict"])
        row["codes"][code] = row["codes"].get(code, 0) + 1
        if code == "internalFailure" or "copyError" in line:
            row["failures"].append(f"{line}")
        if "copiedTo" not in line:
            continue
        row["copies"] += 1
        problem = problem_of(folder / line["copiedTo"])
        if problem:
            row["failures"].append(f"{line['path']}: {problem}")
    if not row["failures"]:
        shutil.rmtree(folder)
    return row


def run(settings: Settings, count: int, lanes: int) -> int:
    """Copies `count` damaged files; returns 1 where the command ends or a copy is opened with a warning."""
    batches = (count + BATCH - 1) // BATCH
    copies, failed = 0, 0
    codes: dict[str, int] = {}
    with multiprocessing.Pool(lanes) as pool:
        for done, row in enumerate(pool.imap_unordered(_batch, ((settings, number) for number in range(batches))), 1):
            copies += row["copies"]
            failed += bool(row["failures"])
            for code, times in row["codes"].items():
                codes[code] = codes.get(code, 0) + times
            for failure in row["failures"]:
                print(f"FAILED: {settings.folder / 'mutated' / str(row['number'])}: {failure}", flush=True)
            print(f"\r{done * BATCH} of {batches * BATCH} files, {copies} copies   ", end="", file=sys.stderr)
    print(file=sys.stderr)
    outcomes = ", ".join(f"{code} {times}" for code, times in sorted(codes.items()))
    print(f"{batches * BATCH} damaged files have {copies} copies ({outcomes}); {failed} folders failed.")
    return 1 if failed else 0
