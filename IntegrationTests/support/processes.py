# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What /proc says about processes. A process may end at any moment, so nothing here fails because it has."""

import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path


def all_processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _stat(pid):
    """State, parent and so on: what follows the command's name, which may hold anything."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def state(pid):
    """The letter of the process' state (Z is a zombie), or None where there is no such process."""
    fields = _stat(pid)
    return fields[0] if fields else None


def children(pid):
    try:
        # Quicker, where the kernel has it (CONFIG_PROC_CHILDREN). Any thread may have started a child.
        lists = [Path(f"/proc/{pid}/task/{thread}/children").read_text() for thread in os.listdir(f"/proc/{pid}/task")]
        return [int(each) for each in " ".join(lists).split()]
    except OSError:
        return [each for each in all_processes() if (fields := _stat(each)) and int(fields[1]) == pid]


def zombies(parent):
    return [pid for pid in children(parent) if state(pid) == "Z"]


def with_executable(path):
    """The living processes that run this very file, whoever has started them."""
    found = []
    for pid in all_processes():
        try:
            if os.readlink(f"/proc/{pid}/exe") == str(path) and state(pid) != "Z":
                found.append(pid)
        except OSError:
            pass
    return found


def waits_for_message(pid):
    """Whether the main thread of a stopped process was waiting for a message (recvmsg), so that it worked on nothing."""
    try:
        return Path(f"/proc/{pid}/task/{pid}/syscall").read_text().split()[0] in RECEIVING
    except OSError:
        return False


# The numbers of recvmsg: of x86-64, and of arm64.
RECEIVING = {"47"} if os.uname().machine == "x86_64" else {"212"}


def open_files(pid):
    """The paths behind the descriptors of a process."""
    found = set()
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            try:
                found.add(os.readlink(f"/proc/{pid}/fd/{name}"))
            except OSError:
                pass
    except OSError:
        pass
    return found


def mapped_files(pid):
    """The paths of the files that are mapped into a process: its libraries above all."""
    found = set()
    try:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            fields = line.split(maxsplit=5)
            if len(fields) == 6 and fields[5].startswith("/"):
                found.add(fields[5])
    except OSError:
        pass
    return found


def memory(pid, name, source="status"):
    """A field of /proc/PID/status or smaps_rollup, in KiB; 0 where the process is gone."""
    try:
        for line in Path(f"/proc/{pid}/{source}").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def wait_until(condition, seconds, interval=0.01):
    """Waits for the condition; the seconds that it took, or None where it did not come true."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > seconds:
            return None
        time.sleep(interval)
    return time.monotonic() - start


@dataclass
class PeakMemory:
    """The highest memory of a process and its children together, sampled by a thread; KiB."""

    pid: int
    interval: float = 0.01
    resident: int = 0  # sum of the resident sets, which counts shared pages once for each process
    proportional: int = 0  # the same with shared pages divided among those that map them
    child_resident: int = 0  # the largest resident set that any child has ever had
    samples: int = 0

    def __enter__(self):
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopped.set()
        self._thread.join()

    def _sample(self):
        while not self._stopped.wait(self.interval):
            each = {pid: memory(pid, "VmRSS") for pid in [self.pid, *children(self.pid)]}
            self.resident = max(self.resident, sum(each.values()))
            peaks = [memory(pid, "VmHWM") for pid in each if pid != self.pid]
            self.child_resident = max([self.child_resident, *peaks])
            self.proportional = max(self.proportional, sum(memory(pid, "Pss", "smaps_rollup") for pid in each))
            self.samples += 1

    def __str__(self):
        mebibytes = [round(value / 1024) for value in (self.proportional, self.resident, self.child_resident)]
        return (f"peak memory of all processes {mebibytes[0]} MiB (sum of resident sets {mebibytes[1]} MiB, "
                f"largest decoder {mebibytes[2]} MiB, {self.samples} samples)")
