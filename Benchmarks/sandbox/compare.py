#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What the sandbox costs: decoders with all of its layers beside decoders with none, in turns, in one run.

Pictures are decoded by requests to the decoder itself, so that inference hides nothing; a video is analysed by
`sca analyze`; a start lasts until the greeting is answered. Prints the median of the rounds with the smallest and the
largest, and fails over 5 % of time and 20 ms of start. Needs the release build and ffmpeg."""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "IntegrationTests")]

from support import videos  # noqa: E402
from support.command import DECODER, FIXTURES, VIDEO_DECODER, temporary_folder  # noqa: E402
from support.decoder import LAYERS, Decoder, wrap  # noqa: E402

BUILD = ROOT / ".build/release"
MOST_TIME, MOST_START = 1.05, 0.020


def spread(values, unit=""):
    return f"{statistics.median(values):.3f} ({min(values):.3f} to {max(values):.3f}){unit}"


def pictures(names, count, rounds):
    """The ratios of time with the sandbox to that without, for files that are decoded over and over."""
    files = [os.open(path, os.O_RDONLY) for path in names]

    def seconds(decoder, index):
        start = time.perf_counter()
        kind, _ = decoder.decode(files[index % len(files)])
        assert kind == 102, f"{names[index % len(names)]} was not decoded"
        return time.perf_counter() - start

    ratios = []
    with Decoder(BUILD / DECODER) as closed, Decoder(BUILD / DECODER, layers=set()) as open_:
        assert len(closed.layers) == 7 and not open_.layers
        for _ in range(rounds + 1):
            # Picture by picture in turns: what else the machine does hits both.
            taken = {closed: 0, open_: 0}
            for index in range(count):
                for decoder in (closed, open_) if index // len(files) % 2 else (open_, closed):
                    taken[decoder] += seconds(decoder, index)
            ratios.append(taken[closed] / taken[open_])
        # The first round fills caches.
        del ratios[0]
    for file in files:
        os.close(file)
    return ratios


def starts(decoder, rounds):
    """Seconds that a start takes more with the sandbox."""
    def seconds(layers):
        start = time.perf_counter()
        with Decoder(BUILD / decoder, layers):
            return time.perf_counter() - start

    seconds(None), seconds(set())
    return [seconds(None) - seconds(set()) for _ in range(rounds)]


def video(folder, rounds):
    """The ratios of the time of `sca analyze` for 15 s of 1080p."""
    path = folder / "video.mp4"
    videos.must("-i", videos.scene(folder, "shake", 15, (1920, 1080)), "-pix_fmt", "yuv420p", "-c:v", "libx264",
                "-preset", "veryfast", path, seconds=600)
    libexec = {}
    for name, options in (("closed", []), ("open", [f"without={layer}" for layer in LAYERS])):
        libexec[name] = folder / name
        libexec[name].mkdir()
        for decoder in (DECODER, VIDEO_DECODER):
            wrap(libexec[name], BUILD / decoder, options)
    # Beside the command nothing may be found, or it would be taken.
    command = folder / "sca"
    command.write_bytes((BUILD / "sca").read_bytes())
    command.chmod(0o755)

    def seconds(name):
        start = time.perf_counter()
        outcome = subprocess.run([command, "analyze", "--preset", "thorough", path], check=False, capture_output=True,
                                 env={**os.environ, "SCA_LIBEXEC": str(libexec[name])})
        assert outcome.returncode in (0, 1), (outcome.stdout, outcome.stderr)
        return time.perf_counter() - start

    seconds("closed")
    ratios = []
    for index in range(rounds):
        order = ("closed", "open") if index % 2 else ("open", "closed")
        taken = {name: seconds(name) for name in order}
        ratios.append(taken["closed"] / taken["open"])
    return ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    photographs = [path for path in videos.photographs() if str(path).endswith(".jpg")][:8]
    small = [FIXTURES / f"plain/plain.{end}" for end in ("jpg", "png", "webp", "tiff", "heic", "avif", "jxl")]
    passed = True
    for title, ratios in (
            ("photographs", pictures(photographs, 16, rounds)),
            ("small pictures of seven formats", pictures(small, 210, rounds))):
        print(f"{title}: {spread(ratios)} of the time without", flush=True)
        passed &= statistics.median(ratios) <= MOST_TIME
    with temporary_folder() as folder:
        ratios = video(Path(folder), max(3, rounds // 3))
        print(f"15 s of video: {spread(ratios)} of the time without", flush=True)
        passed &= statistics.median(ratios) <= MOST_TIME
    for decoder in (DECODER, VIDEO_DECODER):
        differences = starts(decoder, 3 * rounds)
        print(f"start of {decoder}: {spread([value * 1000 for value in differences], ' ms')} more", flush=True)
        passed &= statistics.median(differences) <= MOST_START
    sys.exit(0 if passed else "The sandbox costs more than it may.")


main()
