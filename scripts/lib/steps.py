# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Steps of a list of tests: commands that run one after the other, and how long each takes."""

import os
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ".build-tests"
BUILD = f"{SCRATCH}/release"


@dataclass(frozen=True)
class Step:
    """A command that has to end with 0."""

    name: str
    command: tuple
    # On top of the caller's variables.
    environment: dict = field(default_factory=dict)


def step(name, *command, **environment):
    return Step(name, tuple(map(str, command)), environment)


def run(steps, say):
    """Runs steps until one fails. Gives the name and the seconds of each, and the step that has failed or None."""
    times = []
    for each in steps:
        say(f"\n== {each.name}")
        start = time.monotonic()
        environment = {"SCA_BUILD": str(ROOT / BUILD), **os.environ, **each.environment}
        code = subprocess.run(each.command, cwd=ROOT, env=environment, check=False).returncode
        times.append((each.name, time.monotonic() - start))
        if code != 0:
            return times, each
    return times, None


def table(times):
    lines = [f"{seconds:8.0f} s  {name}" for name, seconds in times]
    return "\n".join([*lines, f"{sum(seconds for _, seconds in times):8.0f} s  together"])
