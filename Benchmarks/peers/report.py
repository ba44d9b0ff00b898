# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Ratios out of the measured rounds, the bounds that they have to keep, and a table of both."""

from dataclasses import asdict, dataclass
from statistics import median

MEGABYTE = 1_000_000


@dataclass
class Measure:
    """One line of the table: a ratio or an amount, with its range over the rounds, and its bound if it has one."""

    name: str
    ours: str
    against: str
    value: float  # the median; the largest where an amount has a bound
    lowest: float
    highest: float
    unit: str = "x"
    at_least: float | None = None
    at_most: float | None = None

    @property
    def bound(self) -> str:
        if self.at_least is not None:
            return f"at least {self.at_least:g} {self.unit}"
        return "" if self.at_most is None else f"at most {self.at_most:g} {self.unit}"

    @property
    def holds(self) -> bool:
        return not (self.at_least is not None and self.value < self.at_least
                    or self.at_most is not None and self.value > self.at_most)


def summarize(rounds: list[dict], pictures: int) -> list[Measure]:
    """Every measure; each ratio is of two runs of the same round."""

    def folder(who: str, what: str) -> list[float]:
        return [entry["folder"][who][what] for entry in rounds]

    def memory(who: str, what: str) -> list[int | None]:
        return [entry["memory"][who][what] for entry in rounds]

    starts = [pair for entry in rounds for pair in entry["cold_starts"]]
    our_starts, peer_starts, second_starts = (
        [pair[who]["wall"] for pair in starts] for who in ("ours", "peer", "second"))
    our_wall, peer_wall, second_wall, floor_wall = (folder(who, "wall") for who in ("ours", "peer", "second", "floor"))
    peer_loop = folder("peer", "loop_seconds")
    our_time, peer_time, floor_time = (folder(who, "processor") for who in ("ours", "peer", "floor"))
    floor_parts = (folder("floor", part) for part in ("decoding", "resizing", "inference"))
    floor_work = [sum(parts) for parts in zip(*floor_parts)]

    def rate(seconds: list[float]) -> str:
        return f"{pictures / median(seconds):.1f} pictures/s"

    def start(seconds: list[float]) -> str:
        return f"{median(seconds) * 1e3:.0f} ms"

    def each(seconds: list[float]) -> str:
        return f"{median(seconds) / pictures * 1e3:.1f} ms a picture"

    measures = [
        ratio("pictures per second, whole process", peer_wall, our_wall, rate, at_least=5),
        ratio("pictures per second, peer's loop alone", peer_loop, our_wall, rate),
        ratio("pictures per second, second peer", second_wall, our_wall, rate),
        ratio("pictures per second, floor in our place", peer_wall, floor_wall, rate),
        ratio("cold start, one small picture", peer_starts, our_starts, start, at_least=2),
        ratio("cold start, second peer", second_starts, our_starts, start),
        amount("peak memory, sum of RSS", memory("ours", "rss"), memory("peer", "rss"), at_most=350),
        amount("peak memory, second peer", memory("ours", "rss"), memory("second", "rss")),
    ]
    if all(value is not None for value in memory("ours", "pss") + memory("peer", "pss")):
        measures.append(amount("peak memory, sum of PSS", memory("ours", "pss"), memory("peer", "pss")))
    return measures + [
        ratio("processor time / floor", our_time, floor_work, each, at_most=1.5, ours_first=True),
        ratio("processor time / floor with its start-up", our_time, floor_time, each, ours_first=True),
        ratio("processor time, peer / ours", peer_time, our_time, each),
    ]


def ratio(name: str, above: list[float], below: list[float], text, ours_first: bool = False, **bound) -> Measure:
    """Pairs of one round divided; `ours_first` when ours is above the line."""
    ratios = [a / b for a, b in zip(above, below)]
    ours, against = (above, below) if ours_first else (below, above)
    return Measure(name, text(ours), text(against), median(ratios), min(ratios), max(ratios), **bound)


def amount(name: str, ours: list[int], against: list[int], **bound) -> Measure:
    """Bytes as megabytes (10^6); where there is a bound, it holds for the largest."""
    ours_mb, against_mb = ([value / MEGABYTE for value in values] for values in (ours, against))
    return Measure(name, f"{median(ours_mb):.0f} MB", f"{median(against_mb):.0f} MB",
                   max(ours_mb) if bound else median(ours_mb), min(ours_mb), max(ours_mb), unit="MB", **bound)


def table(measures: list[Measure]) -> str:
    """The measures in columns."""
    rows = [("", "ours", "peer or floor", "result", "lowest … highest", "bound", "")]
    for one in measures:
        digits = 0 if one.unit == "MB" else 2
        rows.append((one.name, one.ours, one.against, f"{one.value:.{digits}f} {one.unit}",
                     f"{one.lowest:.{digits}f} … {one.highest:.{digits}f}", one.bound,
                     "" if not one.bound else "holds" if one.holds else "FAILS"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def remarks(rounds: list[dict], pictures: int) -> list[str]:
    """The floor by part, whether all did the same work, and what may have disturbed the measurement."""

    def floor(part: str) -> float:
        return median(entry["folder"]["floor"][part] for entry in rounds) * 1e3

    first = rounds[0]["folder"]
    differences = [abs(a - b) for a, b in zip(first["ours"]["scores"], first["peer"]["scores"])]
    runs = [run for entry in rounds for run in entry["folder"].values()]
    others = sum(run["others"] for run in runs) / sum(run["processor"] for run in runs)
    unreaped = max(entry["memory"]["ours"]["unreaped"] / entry["memory"]["ours"]["processor"] for entry in rounds)
    decoding, resizing, inference = (floor(part) / pictures for part in ("decoding", "resizing", "inference"))
    lines = [
        f"Floor, processor time a picture: decoding {decoding:.1f}, resizing {resizing:.1f}, "
        f"inference {inference:.1f} ms. OpenVINO's start-up: {floor('start_up'):.0f} ms.",
        f"Scores, ours and the peer's: {max(differences):.3f} apart at most, {sum(differences) / pictures:.3f} in the "
        "mean (the peer also encodes its input as JPEG).",
        f"Other processes and the hypervisor took {others:.0%} of what the contenders took, on the same cores"
        + (": measure again on an idle machine." if others > 0.1 else "."),
    ]
    if unreaped > 0.05:
        lines.append(f"{unreaped:.0%} of our processor time went to processes that nobody waited for: not counted.")
    return lines


def as_json(measures: list[Measure]) -> list[dict]:
    return [asdict(one) | {"holds": one.holds} for one in measures]
