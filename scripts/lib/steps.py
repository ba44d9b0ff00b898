# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Steps of a list of tests: commands that run one after the other, and how long each takes."""

import os
import subprocess
import tempfile
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
    # These override the caller's variables.
    environment: dict = field(default_factory=dict)


def step(name, *command, **environment):
    return Step(name, tuple(map(str, command)), environment)


@dataclass
class Outcome:
    """The result of a list of steps."""

    # The name and the seconds of each step that ran.
    times: list = field(default_factory=list)
    failed: Step = None
    # Tests and parts of tests that this machine cannot run.
    skipped: list = field(default_factory=list)

    def table(self):
        lines = [f"{seconds:8.0f} s  {name}" for name, seconds in self.times]
        return "\n".join([*lines, f"{sum(seconds for _, seconds in self.times):8.0f} s  together"])


def without_own_variables(environment):
    """Variables without those of the project: the caller's could put another build, or other cases, under test."""
    return {name: value for name, value in environment.items() if not name.startswith("SCA_")}


def say(words):
    print(words, flush=True)


def run(steps):
    """Runs steps until one fails."""
    outcome = Outcome()
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as skipped:
        for each in steps:
            say(f"\n== {each.name}")
            start = time.monotonic()
            environment = {**without_own_variables(os.environ), "SCA_BUILD": str(ROOT / BUILD),
                           "SCA_SKIPPED": skipped.name, **each.environment}
            code = subprocess.run(each.command, cwd=ROOT, env=environment, check=False).returncode
            outcome.times.append((each.name, time.monotonic() - start))
            if code != 0:
                outcome.failed = each
                break
        outcome.skipped = skipped.read().splitlines()
    return outcome
