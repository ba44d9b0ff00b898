# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Compares verdicts with what is expected: compare_verdicts.py FILE.jsonl VERDICT PATH... VERDICT PATH...

FILE.jsonl is what `sca analyze --format jsonl` wrote. Every difference is a line on standard error.
"""

import json
import sys

VERDICTS = ("sensitive", "notSensitive", "unknown")


def main():
    file, *arguments = sys.argv[1:]
    expected = {}
    for argument in arguments:
        if argument in VERDICTS:
            verdict = argument
        else:
            expected[argument] = verdict

    with open(file, encoding="utf-8") as lines:
        results = {result["path"]: result for result in map(json.loads, lines)}
    differences = [f"{path}: expected {verdict}, got {describe(results.get(path))}"
                   for path, verdict in expected.items()
                   if results.get(path, {}).get("verdict") != verdict]
    differences += [f"{path}: nobody asked for it" for path in results if path not in expected]
    print(*differences, sep="\n", end="\n" if differences else "", file=sys.stderr)
    sys.exit(1 if differences else 0)


def describe(result):
    if result is None:
        return "no answer"
    detail = result.get("error", {}).get("code") or f"score {result.get('score')}"
    return f"{result['verdict']} ({detail})"


if __name__ == "__main__":
    main()
