# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Verdicts of sca for many files at once, in test mode and outside it."""

import json
import os
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Any

# Files whose pictures take longer are unknown, so that one of them costs the campaign little.
PICTURES_SECONDS, VIDEO_SECONDS = 3, 30
BATCH_SECONDS = 900


@lru_cache(maxsize=None)
def _options(command: Path) -> tuple[str, ...]:
    """The limits that this build knows."""
    text = subprocess.run([command, "analyze", "--help"], capture_output=True, text=True, check=True).stdout
    wanted = {"--pictures-time-limit": PICTURES_SECONDS, "--media-time-limit": VIDEO_SECONDS}
    return tuple(part for name, value in wanted.items() if name in text for part in (name, str(value)))


def verdicts(command: Path, files: list[Path], in_test_mode: bool) -> dict[str, dict[str, Any]]:
    """For each file's name: verdict, score, code and message."""
    if not files:
        return {}
    variables = {name: value for name, value in os.environ.items() if not name.startswith("SCA_")}
    if in_test_mode:
        variables["SCA_TEST_MODE"] = "1"
    try:
        output = subprocess.run(
            [command, "analyze", "--format", "jsonl", *_options(command), "--", *files],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=BATCH_SECONDS,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired as expired:
        output = expired.stdout or b""
    found: dict[str, dict[str, Any]] = {}
    for line in output.splitlines():
        result = json.loads(line)
        error = result.get("error", {})
        found[Path(result["path"]).name] = {
            "verdict": result["verdict"],
            "score": result.get("score"),
            "media": result.get("media"),
            "code": error.get("code"),
            "message": (error.get("message") or "")[:200],
        }
    return found
