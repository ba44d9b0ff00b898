# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The report of a campaign, as a page in Markdown."""

import re
from collections import Counter
from collections.abc import Iterable

from .explained import EXPLANATIONS
from .lane import Row
from .pool import VIEWERS

# Uses of each feature that the full campaign of 30,000 files must have.
LEAST_USES, FULL = 100, 30_000
VERDICTS = ("sensitive", "notSensitive", "unknown")


def _reason(message: str) -> str:
    """A message without its numbers and its remedy, so that files with the same reason are counted together."""
    return re.sub(r"\d+(\.\d+)?", "N", message.split(". ")[0])[:130].replace("|", "/")


class Figures:
    """Counts over all rows; rows themselves are not kept."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()
        self.any_shown: Counter[str] = Counter()
        self.any_opened: Counter[str] = Counter()
        self.verdicts: Counter[tuple[str, str, str]] = Counter()
        self.shown: Counter[tuple[str, str]] = Counter()
        self.opened: Counter[tuple[str, str]] = Counter()
        self.seen: Counter[tuple[str, str]] = Counter()
        self.problems: Counter[tuple[str, str]] = Counter()
        self.features: Counter[str] = Counter()
        self.explained: Counter[str] = Counter()
        self.failures: Counter[tuple[str, str]] = Counter()
        self.unknown: Counter[tuple[str, str, str]] = Counter()
        self.unknown_viewers: dict[tuple[str, str, str], Counter[str]] = {}
        self.excess = 0
        self.seconds: Counter[str] = Counter()
        self.perturbed = 0

    def add(self, row: Row) -> None:
        """Counts one file."""
        format = row["format"]
        self.files[format] += 1
        self.features.update(set(row["features"]))
        self.perturbed += row["choices"].get("perturbed", "no") != "no"
        for mode in ("test", "outside"):
            self.verdicts[format, mode, row[mode]["verdict"]] += 1
        looks = row["viewers"]
        self.any_shown[format] += any(look["shown"] for look in looks.values())
        self.any_opened[format] += any(look["frames"] for look in looks.values())
        for viewer, look in looks.items():
            self.seen[format, viewer] += 1
            self.opened[format, viewer] += look["frames"] > 0
            self.shown[format, viewer] += bool(look["shown"])
            if look["problem"] in ("crashed", "timeout"):
                self.problems[viewer, look["problem"]] += 1
        self.seconds.update(row.get("seconds", {}))
        self.explained.update(each["reason"] for each in row["explained"])
        self.failures.update({(format, each["kind"]) for each in row["failures"]})
        scores = [look["score"] for look in looks.values() if "score" in look]
        self.excess += bool(scores) and (row["outside"]["score"] or 0) - max(scores) > 0.1
        if row["test"]["verdict"] == "unknown" and any(look["frames"] for look in looks.values()):
            key = (format, row["test"]["code"] or "", _reason(row["test"]["message"] or ""))
            self.unknown[key] += 1
            self.unknown_viewers.setdefault(key, Counter()).update(
                viewer for viewer, look in looks.items() if look["frames"]
            )


def _table(head: list[str], rows: Iterable[list[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "| - |" + " -: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def text(figures: Figures, classes: list[dict]) -> str:
    """The whole page."""
    total, shown, opened = (sum(counter.values()) for counter in (figures.files, figures.any_shown, figures.any_opened))
    viewers = [viewer for viewer in VIEWERS if any(key[1] == viewer for key in figures.seen)]
    parts = [
        f"{total} files, {figures.perturbed} of them perturbed. A viewer opened {opened} "
        f"({100 * opened // max(1, total)} %), and showed the pattern in {shown}.\n"
    ]
    rows = []
    for format in [*sorted(figures.files), "all"]:

        def of(counter: Counter, *key: str) -> int:
            return sum(
                count for each, count in counter.items() if (format == "all" or each[0] == format) and each[1:] == key
            )

        files = total if format == "all" else figures.files[format]
        rows.append(
            [
                format,
                files,
                opened if format == "all" else figures.any_opened[format],
                shown if format == "all" else figures.any_shown[format],
                *(of(figures.verdicts, "test", verdict) for verdict in VERDICTS),
                *(of(figures.failures, kind) for kind in ("shown", "score")),
            ]
        )
    parts.append(
        _table(["format", "files", "opened", "pattern shown", *VERDICTS, "failures: pattern", "failures: score"], rows)
    )
    parts.append("Each viewer: files opened / files with the pattern.\n")
    parts.append(
        _table(
            ["format", *viewers],
            (
                [format, *(f"{figures.opened[format, viewer]} / {figures.shown[format, viewer]}" for viewer in viewers)]
                for format in sorted(figures.files)
            ),
        )
    )
    seconds = ", ".join(f"{name} {1000 * value / max(1, total):.0f}" for name, value in figures.seconds.most_common())
    parts.append(
        f"Milliseconds a file: {seconds}. Viewers crashed or took too long: "
        f"{', '.join(f'{viewer} {what} {count}' for (viewer, what), count in figures.problems.items()) or 'never'}.\n"
    )
    parts.append(f"Our score is more than 0.1 over that of every viewer in {figures.excess} files (a figure only).\n")
    parts.append("## Failures by class\n")
    if classes:
        parts.append(
            _table(
                ["kind", "format", "viewer", "needs", "files", "examples"],
                (
                    [
                        each["kind"],
                        each["format"],
                        each["viewer"],
                        ", ".join(each["needs"]) or "the plain file",
                        each["count"],
                        ", ".join(each["names"][:3]),
                    ]
                    for each in sorted(classes, key=lambda each: -each["count"])
                ),
            )
        )
    else:
        parts.append("None were put into classes.\n" if figures.failures else "None.\n")
    parts.append("## Explained differences\n")
    parts.append(
        _table(
            ["name", "uses", "reason"],
            ([each.name, figures.explained[each.name], each.reason] for each in EXPLANATIONS),
        )
    )
    parts.append("## Unknown to us, and opened by a viewer\n")
    parts.append(
        _table(
            ["format", "code", "message", "files", "viewers"],
            (
                [
                    *key,
                    count,
                    ", ".join(f"{viewer} {number}" for viewer, number in figures.unknown_viewers[key].most_common()),
                ]
                for key, count in figures.unknown.most_common(80)
            ),
        )
    )
    needed = LEAST_USES * total / FULL
    rare = [
        (name, count) for name, count in sorted(figures.features.items(), key=lambda each: each[1]) if count < needed
    ]
    parts.append("## Features\n")
    parts.append(
        f"{len(figures.features)} features; {len(rare)} of them were used fewer than {needed:.0f} times, which is "
        f"{LEAST_USES} in {FULL} files.\n"
    )
    parts.append(_table(["feature", "uses"], ([name, count] for name, count in sorted(figures.features.items()))))
    return "\n".join(parts)
