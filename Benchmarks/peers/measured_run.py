# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Runs a command and measures it together with every process that it starts.

The measuring process is a "subreaper": a descendant whose parent has ended becomes its child, so that waiting until
there are no children gives the processor time of the whole tree. (A parent's figure holds that of the children that
it waited for.) Memory is sampled in runs of their own, because sampling costs processor time.
"""

import ctypes
import os
import shutil
import signal
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass

from process_tree import Tree, busy_time, name_of

PR_SET_CHILD_SUBREAPER = 36


class MeasurementFailed(Exception):
    """A run that can't be counted, and why."""


@dataclass
class Run:
    """What one run of a command cost. Seconds and bytes."""

    exit_code: int = 0
    output: str = ""
    errors: str = ""
    wall: float = 0.0  # from before the start of the main process until it has ended
    processor: float = 0.0  # user and system, all processes, until the last one has ended
    others: float = 0.0  # processor time that everything else took on the measured cores meanwhile
    rss: int = 0  # sampled runs only: the largest sum of the resident sets of all processes at one time
    pss: int | None = 0  # likewise, shared pages divided among those that map them; None where not readable
    processes: int = 0
    samples: int = 0
    unreaped: float = 0.0  # sampled processor time that waiting did not account for


def become_subreaper() -> None:
    """Makes orphans among the descendants children of this process."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def timed(command: list[str], timeout: float = 600, linger: float = 15) -> Run:
    """Runs the command undisturbed; its helpers must be gone `linger` seconds after it."""
    run = Run()
    busy, cores = busy_time(), os.sched_getaffinity(0)
    with started(command, run) as (process, start), deadline(timeout):
        for ended, status, usage in reaped():
            run.processor += usage.ru_utime + usage.ru_stime
            if ended == process:
                run.wall = time.perf_counter() - start
                run.exit_code = os.waitstatus_to_exitcode(status)
                signal.setitimer(signal.ITIMER_REAL, linger)
    total = busy_time()
    run.others = max(0.0, sum(total.get(core, 0) - busy.get(core, 0) for core in cores) - run.processor)
    return run


def sampled(command: list[str], interval: float = 0.01, timeout: float = 600, linger: float = 15) -> Run:
    """Runs the command and looks at the memory of its whole tree every `interval` seconds."""
    run = Run()
    with started(command, run) as (process, _), deadline(timeout):
        tree = Tree(process)
        running = True
        while running:
            tree.sample()
            time.sleep(interval)
            try:
                while (ended := os.wait4(-1, os.WNOHANG))[0] != 0:
                    run.processor += ended[2].ru_utime + ended[2].ru_stime
                    if ended[0] == process:
                        run.exit_code = os.waitstatus_to_exitcode(ended[1])
                        signal.setitimer(signal.ITIMER_REAL, linger)
            except ChildProcessError:
                running = False
    run.rss, run.pss, run.samples, run.processes = tree.rss, tree.pss, tree.samples, len(tree.members)
    run.unreaped = max(0.0, sum(member.processor for member in tree.members.values()) - run.processor)
    return run


# Starting and waiting


@contextmanager
def started(command: list[str], run: Run):
    """Starts the command with its output in files; fills in the output afterwards."""
    program = shutil.which(command[0])
    if program is None:
        raise MeasurementFailed(f"{command[0]} can't be run.")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, output.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
        ]
        start = time.perf_counter()
        process = os.posix_spawn(program, command, os.environ, file_actions=actions)
        try:
            yield process, start
        except BaseException:
            end_descendants()
            raise
        for file, name in ((output, "output"), (errors, "errors")):
            file.seek(0)
            setattr(run, name, file.read().decode(errors="replace"))


def reaped():
    """Every descendant as it ends, until there is none."""
    while True:
        try:
            yield os.wait4(-1, 0)
        except ChildProcessError:
            return


@contextmanager
def deadline(seconds: float):
    """Raises MeasurementFailed in the middle of a wait that takes too long."""

    def expired(*_):
        names = ", ".join(f"{name_of(pid)} ({pid})" for pid in descendants()) or "none"
        raise MeasurementFailed(f"Not done in time; still there: {names}.")

    before = signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def descendants() -> list[int]:
    tree = Tree(os.getpid())
    tree.grow()
    return [pid for pid in tree.members if pid != os.getpid()]


def end_descendants() -> None:
    """Kills and reaps every process of the run that is left."""
    while left := descendants():
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for _ in reaped():
            pass
