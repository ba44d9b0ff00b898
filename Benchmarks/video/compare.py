#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Ten minutes of 1080p H.264: `sca analyze` beside the algorithm of opennsfw2 (peer.py) and beside the floor, in turns.

The floor is what the same frames cost at least: the processor time of FFmpeg's own program for decoding the key frames
with one thread, its mean for a frame times the frames that we decode besides, and inference in Benchmarks/peers/floor for
those that we score. Prints the median of the rounds with the smallest and the largest. Needs the release build, ffmpeg, a C
compiler, and once the network."""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "IntegrationTests"), str(ROOT / "Benchmarks/peers")]

import measured_run  # noqa: E402
import preparation  # noqa: E402
from support import videos  # noqa: E402

SIZE = (1920, 1080)
HERE = Path(__file__).resolve().parent
# Wall time of the peer over ours, at least; and our processor time over the floor's, at most. More key frames are more to
# look at, which is told and not bounded.
LEAST = {"film": 10, "film-2s": 0, "shake": 3}
MOST_OF_FLOOR = 1.3


def material(cache):
    """Ten minutes each of: shots of six seconds with a slow pan, with encoder defaults and with groups of two seconds; a
    shaking hand with grain."""
    options = {"film": [], "film-2s": ["-g", 2 * videos.RATE], "shake": []}
    for name, extra in options.items():
        path = cache / f"{name}.mp4"
        if not path.exists():
            minute = cache / f"{name}-minute.mp4"
            source = shots() if name.startswith("film") else ["-i", videos.scene(cache, "shake", 60, SIZE)]
            videos.must(*source, "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", *extra, minute, seconds=1800)
            videos.must("-stream_loop", 9, "-i", minute, "-c", "copy", path, seconds=600)
        yield name, path


def shots():
    """The arguments for a minute of ten photographs, each moved slowly."""
    width, height = SIZE
    inputs, filters = [], []
    for index, picture in enumerate(videos.photographs()[:10]):
        inputs += ["-i", picture]
        filters.append(
            f"[{index}]scale={width * 3 // 2}:{height * 3 // 2}:force_original_aspect_ratio=increase,"
            f"loop=loop=-1:size=1,setpts=N/{videos.RATE}/TB,fps={videos.RATE},trim=duration=6,"
            f"crop={width}:{height}:x='(iw-ow)*t/12':y='(ih-oh)*t/12',setsar=1,format=yuv420p[v{index}]")
    names = "".join(f"[v{index}]" for index in range(10))
    return [*inputs, "-filter_complex", ";".join([*filters, f"{names}concat=n=10[o]"]), "-map", "[o]"]


def environment(cache):
    python = cache / "environment/bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", cache / "environment"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--requirement",
                        HERE / "requirements.txt"], check=True)
    return python


def inference_time(cache, model):
    """The processor time of one inference, from the floor of the pictures."""
    library = preparation.find_openvino(None)
    floor = preparation.build_floor(cache)
    picture = cache / "picture.jpg"
    videos.must("-i", videos.photographs()[0], "-vf", "scale=512:-2", picture)
    folder = cache / "openvino-cache"
    folder.mkdir(exist_ok=True)
    for _ in range(2):
        output = subprocess.run([floor, library, model, folder, "256", "2", *[picture] * 100], capture_output=True,
                                text=True, check=True).stdout
    return json.loads(output)["inference"] / 100


def run(command):
    result = measured_run.timed([str(part) for part in command], timeout=1800)
    if result.exit_code != 0:
        raise SystemExit(f"{command[0]} ended with {result.exit_code}: {result.errors}")
    return result


def floor_time(path, line, inference):
    keys = run(["ffmpeg", "-v", "error", "-threads", 1, "-skip_frame", "nokey", "-i", path, "-vsync", 0, "-f", "null", "-"])
    key_count = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=flags", "-of", "csv=p=0", path],
        capture_output=True, text=True, check=True).stdout.count("K")
    besides = max(0, line["framesDecoded"] - key_count)
    minute = path.with_name(f"{path.stem}-minute.mp4")
    all_frames = run(["ffmpeg", "-v", "error", "-threads", 1, "-i", minute, "-vsync", 0, "-f", "null", "-"]).processor
    decoding = keys.processor + besides * all_frames / (60 * videos.RATE)
    return decoding + line["framesAnalyzed"] * inference


def middle(values):
    return f"{statistics.median(values):.1f} ({min(values):.1f} to {max(values):.1f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache/sensitive-content-analysis-tests/video")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=LEAST)
    parser.add_argument("--check", action="store_true", help="fail where a bound is not kept")
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    measured_run.become_subreaper()
    sca = ROOT / ".build/release/sca"
    model = next(prefix / "share/sensitive-content-analysis/models/open-nsfw/model.onnx" for prefix in preparation.PREFIXES
                 if (prefix / "share/sensitive-content-analysis/models/open-nsfw/model.onnx").exists())
    python = environment(arguments.cache)
    inference = inference_time(arguments.cache, model)
    failed = False
    for name, path in material(arguments.cache):
        if arguments.only not in (None, name):
            continue
        ratios, costs, ours_seconds, peer_seconds = [], [], [], []
        for _ in range(arguments.rounds):
            ours = run([sca, "analyze", "--format", "jsonl", path])
            peer = run([python, HERE / "peer.py", model, path])
            line = json.loads(ours.output)
            ours_seconds.append(ours.wall)
            peer_seconds.append(peer.wall)
            ratios.append(peer.wall / ours.wall)
            costs.append(ours.processor / floor_time(path, line, inference))
        print(f"{name}: {path.stat().st_size / 1e6:.0f} MB, {line['framesDecoded']} frames decoded, "
              f"{line['framesAnalyzed']} scored; ours {middle(ours_seconds)} s, peer {middle(peer_seconds)} s, ratio "
              f"{middle(ratios)}; processor time over the floor's {statistics.median(costs):.2f} "
              f"({min(costs):.2f} to {max(costs):.2f})", flush=True)
        failed |= statistics.median(ratios) < LEAST[name] or statistics.median(costs) > MOST_OF_FLOOR
    if arguments.check and failed:
        raise SystemExit("a bound is not kept")


main()
