# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Steps of a list of tests: commands that run in turn or side by side, and how long each takes."""

import os
import shlex
import shutil
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
    # The names of steps that have to have passed before.
    after: tuple = ()
    # Whether no other step may run beside it: it keeps all cores busy, or measures time or memory.
    is_alone: bool = False

    @property
    def command_line(self):
        """The command with its variables, as a shell reads it."""
        return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in self.environment.items()),
                         shlex.join(self.command)])


def step(name, *command, after=(), is_alone=False, **environment):
    return Step(name, tuple(map(str, command)), environment, tuple(after), is_alone)


@dataclass
class Result:
    """The result of a step."""

    step: Step
    # passed, failed, interrupted, or left out: a step that it comes after has not passed, or the list has stopped.
    state: str
    # Seconds from the start of the list to its own, and its length.
    began: float = 0.0
    seconds: float = 0.0
    # Processor time of the command and of all processes that it has waited for.
    processor_seconds: float = 0.0


@dataclass
class Outcome:
    """The results of a list of steps, in the order of their ends."""

    results: list = field(default_factory=list)
    seconds: float = 0.0
    # Tests and parts of tests that this machine cannot run.
    skipped: list = field(default_factory=list)

    def in_state(self, state):
        return [each.step for each in self.results if each.state == state]

    @property
    def failed(self):
        """The first step that failed, or None."""
        return next(iter(self.in_state("failed")), None)

    @property
    def is_interrupted(self):
        return bool(self.in_state("interrupted"))

    def table(self):
        lines = [f"{each.seconds:6.0f} s {each.processor_seconds:6.0f} s  {each.step.name}"
                 for each in sorted(self.results, key=lambda each: each.began) if each.state != "left out"]
        processor = sum(each.processor_seconds for each in self.results)
        return "\n".join(["  time, processor time", *lines, f"{self.seconds:6.0f} s {processor:6.0f} s  together"])


def without_own_variables(environment):
    """Variables without those of the project: the caller's could put another build, or other cases, under test."""
    return {name: value for name, value in environment.items() if not name.startswith("SCA_")}


def say(words):
    print(words, flush=True)


def run(steps, lanes=1, keeps_going=False):
    """Runs steps until one fails, or all of them where `keeps_going` is true.

    Up to `lanes` steps run side by side, and begin in the order of the list. KeyboardInterrupt ends the list; the steps
    that ran then are "interrupted".
    """
    with tempfile.TemporaryDirectory() as folder:
        skipped = Path(folder, "skipped")
        skipped.touch()
        # Some steps run as an ordinary user.
        os.chmod(folder, 0o711)
        skipped.chmod(0o666)
        outcome = _Run(steps, lanes, keeps_going, skipped).outcome()
        outcome.skipped = skipped.read_text(encoding="utf-8").splitlines()
    return outcome


class NoStepCanBegin(Exception):
    """Steps come after each other; the text has their names."""


@dataclass
class _Process:
    step: Step
    process: subprocess.Popen
    # Holds the output of a step that may run beside others; None where the output is printed as it comes.
    output: object
    # A folder for temporary files of its own: some tests look at what remains there.
    folder: str
    start: float


class _Run:
    """The state of a list of steps that runs."""

    def __init__(self, steps, lanes, keeps_going, skipped):
        self.waiting, self.lanes, self.keeps_going, self.skipped = list(steps), lanes, keeps_going, skipped
        self.names = {each.name for each in steps}
        self.running = {}
        self.done = Outcome()
        self.start = time.monotonic()

    def outcome(self):
        try:
            while self.waiting or self.running:
                self.begin_steps()
                if self.running:
                    self.wait()
                elif self.waiting and not any(map(self.may_begin, self.waiting)):
                    raise NoStepCanBegin(", ".join(each.name for each in self.waiting))
        except KeyboardInterrupt:
            self.stop()
        self.done.seconds = time.monotonic() - self.start
        return self.done

    def stop(self):
        """Ends the processes of running steps."""
        for each in self.running.values():
            each.process.terminate()
        for each in self.running.values():
            each.process.wait()
            shutil.rmtree(each.folder, ignore_errors=True)
            begin = each.start - self.start
            self.done.results.append(Result(each.step, "interrupted", begin, self.time() - begin))
        self.done.results += [Result(each, "left out", self.time()) for each in self.waiting]

    def begin_steps(self):
        for each in list(self.waiting):
            if self.is_in_vain(each):
                self.waiting.remove(each)
                self.done.results.append(Result(each, "left out", self.time()))
            elif self.may_begin(each):
                self.waiting.remove(each)
                self.begin(each)

    def time(self):
        return time.monotonic() - self.start

    def is_in_vain(self, step):
        if self.done.failed and not self.keeps_going:
            return True
        lost = {each.step.name for each in self.done.results if each.state != "passed"}
        return any(name in lost for name in step.after)

    def may_begin(self, step):
        if any(each.step.is_alone for each in self.running.values()) or len(self.running) >= self.lanes:
            return False
        if step.is_alone and self.running:
            return False
        # A list that begins in its middle has no steps before.
        unfinished = self.names - {each.step.name for each in self.done.results}
        return not any(name in unfinished for name in step.after)

    def begin(self, step):
        prints = step.is_alone or self.lanes == 1
        say(f"\n== {step.name}" if prints else f"-- {step.name} has begun")
        folder = tempfile.mkdtemp(prefix="sca-step-")
        # Steps also start programs as other users, who then make files there.
        os.chmod(folder, 0o1777)
        environment = {**without_own_variables(os.environ), "SCA_BUILD": BUILD, "TMPDIR": folder,
                       "SCA_SKIPPED": str(self.skipped), **step.environment}
        # Some steps change the folder first.
        environment["SCA_BUILD"] = str(ROOT / environment["SCA_BUILD"])
        output = None if prints else tempfile.TemporaryFile()
        try:
            process = subprocess.Popen(step.command, cwd=ROOT, env=environment, stdout=output,
                                       stderr=subprocess.STDOUT if output else None)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            self.done.results.append(Result(step, "failed", self.time()))
            say(f"FAILED, since it cannot be started ({error}): {step.name}")
            return
        self.running[process.pid] = _Process(step, process, output, folder, time.monotonic())

    def wait(self):
        pid, status, usage = os.wait4(-1, 0)
        ended = self.running.pop(pid, None)
        if not ended:
            return
        code = ended.process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - ended.start
        shutil.rmtree(ended.folder, ignore_errors=True)
        self.done.results.append(Result(
            ended.step, "failed" if code else "passed", ended.start - self.start, seconds, usage.ru_utime + usage.ru_stime))
        if ended.output:
            ended.output.seek(0)
            say(f"\n== {ended.step.name}")
            say(ended.output.read().decode(errors="replace").rstrip("\n"))
            ended.output.close()
        if code:
            say(f"FAILED after {seconds:.0f} s (exit status {code}): {ended.step.name}")
