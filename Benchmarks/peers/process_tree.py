# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""The processes of a run, and what /proc says of them."""

import os
from dataclasses import dataclass, field

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Member:
    """A process of the tree: how often it was seen, and its own processor time when last seen."""

    seen: int = 0
    processor: float = 0.0


@dataclass
class Tree:
    """The process `root`, its descendants by parent, and orphans that have become children of this process."""

    root: int
    members: dict[int, Member] = field(default_factory=dict)
    strangers: set[int] = field(default_factory=set)
    rss: int = 0  # the largest sum of resident sets so far, in bytes
    pss: int | None = 0  # likewise, of proportional sets
    samples: int = 0

    def __post_init__(self) -> None:
        self.members[self.root] = Member()

    def grow(self) -> None:
        """Finds the processes that are new since the last time."""
        present = {int(name) for name in os.listdir("/proc") if name.isdigit()}
        self.strangers &= present
        unknown = present - self.strangers - self.members.keys()
        undecided = {pid: int(stat[1]) for pid in unknown if (stat := stat_of(pid))}
        while found := [pid for pid, parent in undecided.items() if parent in self.members or parent == os.getpid()]:
            for pid in found:
                del undecided[pid]
                self.members[pid] = Member()
        self.strangers |= undecided.keys()

    def sample(self) -> None:
        """Raises the peaks to the present sums.

        A process counts from the second time on that it is seen: between vfork and exec it still shares the memory
        of its parent, which would be counted twice.
        """
        self.grow()
        rss, pss = 0, 0
        for pid, member in self.members.items():
            stat = stat_of(pid)
            if stat is None:
                continue
            member.seen += 1
            member.processor = (int(stat[11]) + int(stat[12])) / TICKS_PER_SECOND
            if member.seen > 1:
                resident, proportional = memory_of(pid)
                rss += resident
                pss = None if pss is None or proportional is None else pss + proportional
        self.samples += 1
        self.rss = max(self.rss, rss)
        self.pss = None if self.pss is None or pss is None else max(self.pss, pss)


def stat_of(pid: int) -> list[str] | None:
    """/proc/PID/stat from the state on (the state is at 0, the parent at 1, user and system time at 11 and 12)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def name_of(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return "?"


def memory_of(pid: int) -> tuple[int, int | None]:
    """Resident and proportional set size in bytes; (0, 0) for a process that has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii", errors="replace") as file:
            fields = dict(line.split(":", 1) for line in file.read().splitlines()[1:])
            return tuple(int(fields[name].split()[0]) * 1024 for name in ("Rss", "Pss"))
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0
    except PermissionError:  # A process that has made itself undumpable, seen by an ordinary user.
        try:
            with open(f"/proc/{pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * PAGE, None
        except (FileNotFoundError, ProcessLookupError):
            return 0, 0


def busy_time() -> dict[int, float]:
    """The seconds that each core has been busy or was withheld by a hypervisor, since it started."""
    busy = {}
    with open("/proc/stat", encoding="ascii") as file:
        for line in file:
            name, *values = line.split()
            if name.startswith("cpu") and name != "cpu":
                user, nice, system, _idle, _wait, interrupts, soft_interrupts, stolen, *_ = map(int, values)
                ticks = user + nice + system + interrupts + soft_interrupts + stolen
                busy[int(name[3:])] = ticks / TICKS_PER_SECOND
    return busy
