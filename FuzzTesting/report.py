# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What a campaign of mutated files has found, as a page in Markdown. Usage: report.py RESULTS."""

import sys
from collections import Counter, defaultdict
from pathlib import Path

DECODED = ("sensitive", "notSensitive")
# The limits of the campaign: three seconds a picture and ten a file, twice where a decoder has crashed, and its start.
MOST_MILLISECONDS = 10_000 + 2_000


def main():
    results = Path(sys.argv[1])
    rows = [line.split("\t") for line in (results / "results.tsv").read_text().splitlines()]
    looked = [line.split("\t") for line in (results / "harmless.tsv").read_text().splitlines()]
    outcomes = Counter(row[2] for row in rows)
    by_seed = defaultdict(Counter)
    slowest = Counter()
    for _, seed, outcome, milliseconds in rows:
        by_seed[seed][outcome] += 1
        slowest[seed] = max(slowest[seed], int(milliseconds))
    decoded = sum(outcomes[name] for name in DECODED)
    names = [name for name, _ in outcomes.most_common()]
    print(f"{len(rows)} mutants of {len(by_seed)} seeds; {100 * decoded / len(rows):.1f} % were decoded.\n")
    print("| seed | " + " | ".join(names) + " | slowest, ms |")
    print("| - |" + " -: |" * (len(names) + 1))
    for seed in sorted(by_seed):
        print(f"| {seed} | " + " | ".join(str(by_seed[seed][name]) for name in names) + f" | {slowest[seed]} |")
    print("| **all** | " + " | ".join(str(outcomes[name]) for name in names) + f" | {max(slowest.values())} |\n")
    shown = [row for row in looked if row[1]]
    problems = []
    if len(looked) != outcomes["notSensitive"]:
        problems.append(f"{outcomes['notSensitive'] - len(looked)} harmless mutants were not looked at")
    if shown:
        problems.append(f"{len(shown)} harmless mutants still show the pattern: {', '.join(row[0] for row in shown)}")
    if decoded < 0.3 * len(rows):
        problems.append("fewer than 30 % were decoded")
    late = [row for row in rows if int(row[3]) > MOST_MILLISECONDS]
    if late:
        problems.append(f"{len(late)} took longer than their limits")
    for name in ("decoderUnavailable", "internalFailure"):
        if outcomes[name]:
            problems.append(f"{outcomes[name]} were {name}")
    print(f"{len(looked)} harmless mutants were looked at with Pillow and ffmpeg.")
    print("\n".join(f"PROBLEM: {problem}." for problem in problems) or "No problem was found.")
    sys.exit(1 if problems else 0)


main()
