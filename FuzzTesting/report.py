# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What a campaign of mutated files has found, as a page in Markdown. Usage: report.py RESULTS."""

import sys
from collections import Counter, defaultdict
from pathlib import Path

DECODED = ("sensitive", "notSensitive")
# The limits of the campaign, and what the start of a decoder may take on a busy machine.
PICTURE_MILLISECONDS, MEDIA_MILLISECONDS, START_MILLISECONDS = 3_000, 10_000, 1_000
SEVERAL_PICTURES = ("apng", "gif", "webp-animated", "heic-pages", "tiff-pages")
VIDEOS = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".ts", ".flv", ".ogg")


def most_milliseconds(seed, faults):
    """How long a mutant may take; where a decoder has crashed, it is tried twice."""
    has_several = seed.startswith(SEVERAL_PICTURES) or seed.endswith(VIDEOS)
    limit = MEDIA_MILLISECONDS if has_several else PICTURE_MILLISECONDS
    return (2 if faults else 1) * (limit + START_MILLISECONDS)


def main():
    results = Path(sys.argv[1])
    rows = [line.split("\t") for line in (results / "results.tsv").read_text().splitlines()]
    looked = [line.split("\t") for line in (results / "harmless.tsv").read_text().splitlines()]
    outcomes = Counter(row[2] for row in rows)
    by_seed, faults_of = defaultdict(Counter), Counter()
    slowest = Counter()
    for _, seed, outcome, milliseconds, faults in rows:
        by_seed[seed][outcome] += 1
        slowest[seed] = max(slowest[seed], int(milliseconds))
        faults_of.update((seed, fault) for fault in faults.split(",") if fault)
    decoded = sum(outcomes[name] for name in DECODED)
    names = [name for name, _ in outcomes.most_common()]
    print(f"{len(rows)} mutants of {len(by_seed)} seeds; {100 * decoded / len(rows):.1f} % were decoded.\n")
    print("| seed | " + " | ".join(names) + " | slowest, ms |")
    print("| - |" + " -: |" * (len(names) + 1))
    for seed in sorted(by_seed):
        print(f"| {seed} | " + " | ".join(str(by_seed[seed][name]) for name in names) + f" | {slowest[seed]} |")
    print("| **all** | " + " | ".join(str(outcomes[name]) for name in names) + f" | {max(slowest.values())} |\n")
    print(f"Decoders failed {sum(faults_of.values())} times, in {len(faults_of)} ways.")
    for (seed, fault), count in faults_of.most_common():
        print(f"- {seed}: {fault}, {count} times")
    programs = Counter(answer for row in looked for answer in row[1:])
    print(f"{len(looked)} harmless mutants were looked at with Pillow and ffmpeg: {dict(programs)}.")
    problems = []
    shown = [row[0] for row in looked if "shown" in row[1:]]
    if len(looked) != outcomes["notSensitive"]:
        problems.append(f"{outcomes['notSensitive'] - len(looked)} harmless mutants were not looked at")
    if shown:
        problems.append(f"{len(shown)} harmless mutants still show the pattern: {', '.join(shown)}")
    if decoded < 0.3 * len(rows):
        problems.append("fewer than 30 % were decoded")
    late = [row[0] for row in rows if int(row[3]) > most_milliseconds(row[1], row[4])]
    if late:
        problems.append(f"{len(late)} took longer than their limits: {', '.join(late[:20])}")
    for name in ("decoderUnavailable", "internalFailure"):
        if outcomes[name]:
            problems.append(f"{outcomes[name]} were {name}")
    print("\n".join(f"PROBLEM: {problem}." for problem in problems) or "No problem was found.")
    sys.exit(1 if problems else 0)


main()
