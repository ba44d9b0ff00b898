# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Runs parts of the gate in a tree, and tells from their output what has happened."""

import os
import re
import shlex
import signal
import subprocess
import time
from dataclasses import dataclass, field

from fault_list import Script
from steps import without_own_variables

# What Swift Testing prints, https://github.com/swiftlang/swift-testing, Event.HumanReadableOutputRecorder.
TEST = r"^\S+\s+Test (?!run |case )"
ENDED = re.compile(TEST + r"(.+?)(?: with \d+ test cases?)? (passed|failed) after ", re.MULTILINE)
STARTED = re.compile(TEST + r"(.+) started\.$", re.MULTILINE)
ISSUE = re.compile(TEST + r"(.+?) recorded an issue (.*)$", re.MULTILINE)
RUN_STARTED = re.compile(r"^\S+\s+Test run started", re.MULTILINE)
RUN_ENDED = re.compile(r"^\S+\s+Test run with ", re.MULTILINE)
# What a script says where the machine lacks a thing: it has shown nothing of the fault.
SET_UP = re.compile(r"run (scripts/bootstrap|\"make build-tests\"|\"make build\")|install the Debian package|is missing")
TIME_LIMIT = "Time limit was exceeded"
# By swift test; a test that was killed so has run out of the machine's memory, and has found nothing.
KILLED = "unexpected signal code 9"


@dataclass
class Outcome:
    """The result of a part."""

    # passed, failed, timeout, skipped, or broken where it has shown nothing.
    state: str
    # The tests that have failed, or a reason.
    names: list = field(default_factory=list)
    seconds: float = 0.0


@dataclass
class Commands:
    """How a tree is built and how a unit test is run; {filter} is the regular expression that names the test."""

    build: str = "scripts/build-tests"
    test: str = "swift test -c release -Xswiftc -enable-testing --skip-build --disable-xctest --filter {filter}"

    def of_build(self):
        return shlex.split(self.build)

    def of_test(self, part):
        return [word.replace("{filter}", part.filter) for word in shlex.split(self.test)]


def run(command, tree, log, seconds=None):
    """Runs a command to its end; returns its exit status, None after a timeout, and its output."""
    environment = {**without_own_variables(os.environ), "SCA_BUILD": str(tree / ".build/release")}
    with open(log, "w+", errors="replace") as output:
        # In a group of its own, so that what it has started ends with it.
        process = subprocess.Popen(command, cwd=tree, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   env=environment, start_new_session=True)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            if process.poll() is None:
                _end(process)
        output.seek(0)
        return status, output.read()


def _end(process):
    os.killpg(process.pid, signal.SIGTERM)
    try:
        # Scripts take away what they have made.
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def run_part(part, tree, commands, log):
    start = time.monotonic()
    if isinstance(part, Script):
        status, output = run([str(tree / "IntegrationTests" / part.name)], tree, log, part.seconds)
        outcome = judge_script(part, status, output)
    else:
        status, output = run(commands.of_test(part), tree, log, part.seconds)
        outcome = judge_unit_test(status, output)
    outcome.seconds = time.monotonic() - start
    return outcome


def judge_unit_test(status, output):
    if status is None:
        return Outcome("timeout", ["it did not end"])
    ended = ENDED.findall(output)
    if status == 0:
        if any(result == "passed" for _, result in ended):
            return Outcome("passed")
        # A filter that fits nothing, or a suite that the machine lacks something for.
        return Outcome("skipped", ["no test was run"])
    issues = ISSUE.findall(output)
    if issues and all(TIME_LIMIT in words for _, words in issues):
        return Outcome("timeout", _unique(name for name, _ in issues))
    failed = [name for name, result in ended if result == "failed"]
    names = _unique([*failed, *(name for name, _ in issues)])
    if names:
        return Outcome("failed", names)
    if RUN_STARTED.search(output) and not RUN_ENDED.search(output) and KILLED not in output:
        open_tests = [name for name in STARTED.findall(output) if name not in {name for name, _ in ended}]
        if open_tests:
            return Outcome("failed", [f"{name} (the process has crashed)" for name in _unique(open_tests)])
    return Outcome("broken", [f"the tests could not be run (status {status})"])


def judge_script(part, status, output):
    if status is None:
        return Outcome("timeout", ["it did not end"])
    lines = output.splitlines()
    if status == 0:
        skipped = [line for line in lines if line.startswith(f"SKIPPED: {part.name}: ")]
        return Outcome("skipped", skipped) if skipped else Outcome("passed")
    names = [line.removeprefix("FAILED").lstrip(": ") for line in lines if line.startswith("FAILED")]
    names = names or [line for line in lines if line.startswith(f"{part.name}: ") and not SET_UP.search(line)]
    # A script that ends otherwise, as by an error in itself, has shown nothing.
    if names:
        return Outcome("failed", names)
    return Outcome("broken", [f"it ended with status {status}, and says of no claim that it does not hold"])


def _unique(names):
    return list(dict.fromkeys(names))
