# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Makes another process make system calls, as hostile code within it would."""

import ctypes
import os
import platform
import signal
import time

from support.reporting import Skipped

_TRACEME_GETREGS, _SETREGS, _CONT, _ATTACH = 12, 13, 7, 16
_SETOPTIONS, _EXITKILL, _TRACEEXEC = 0x4200, 0x100000, 0x10
# Of struct user_regs_struct on x86-64.
_NAMES = ("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base "
          "ds es fs gs").split()


class _Registers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulonglong) for name in _NAMES]


class Died(Exception):
    """The process did not survive the system call; the number of the signal."""


class Execution(Exception):
    """The process has become another program."""


def require():
    if platform.machine() != "x86_64":
        raise Skipped(f"system calls can be injected on x86-64 only, and this is {platform.machine()}")
    if os.geteuid() != 0:
        raise Skipped("only root can trace processes that do not let their user")


_EVERY_KIND = 0x40000000  # __WALL: threads as well
_traced = []


def collect_threads(process):
    """Collects the traced threads of a process that was killed: its first thread cannot be collected before them."""
    for thread in _traced:
        if thread != process:
            try:
                os.waitpid(thread, _EVERY_KIND)
            except ChildProcessError:
                pass
    _traced.clear()


def _process_of(thread):
    """Returns the number of a thread's process."""
    with open(f"/proc/{thread}/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("Tgid:"))


class Tracee:
    """A process, or one of its threads, that is stopped; it ends with its tracer."""

    def __init__(self, pid):
        self.pid = pid
        self._process = _process_of(pid)
        _traced.append(pid)
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        self._trace(_ATTACH)
        os.waitpid(pid, _EVERY_KIND)
        self._trace(_SETOPTIONS, _EXITKILL | _TRACEEXEC)
        self._scratch = None

    def _trace(self, request, data=None):
        if self._libc.ptrace(request, self.pid, None, data) < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    def _registers(self):
        registers = _Registers()
        self._trace(_TRACEME_GETREGS, ctypes.addressof(registers))
        return registers

    def _write(self, address, content):
        with open(f"/proc/{self.pid}/mem", "r+b", buffering=0) as memory:
            memory.seek(address)
            memory.write(content)

    def _continue(self):
        """Lets the process run to its next stop; returns the status of that stop."""
        while True:
            self._trace(_CONT)
            status = self._wait()
            # A process that the call started can end before the breakpoint is reached.
            if not os.WIFSTOPPED(status) or status >> 8 != signal.SIGCHLD:
                return status

    def _wait(self):
        """Waits for the next stop or the end."""
        if self.pid == self._process:
            return os.waitpid(self.pid, _EVERY_KIND)[1]
        while True:
            # A thread that becomes another program goes on under the number of its process.
            for number in (self.pid, self._process):
                try:
                    found, status = os.waitpid(number, _EVERY_KIND | os.WNOHANG)
                except ChildProcessError:
                    continue
                if found:
                    self.pid = number
                    return status
            time.sleep(0.001)

    def call(self, number, *arguments):
        """Makes one system call; bytes are passed by address. Returns its result, a negative errno value on failure."""
        registers = self._registers()
        scratch = (registers.rsp - 8192) & ~0xFFF
        values = []
        for argument in arguments:
            if isinstance(argument, bytes):
                self._write(scratch, argument + b"\0")
                values.append(scratch)
                scratch += (len(argument) + 16) & ~0xF
            else:
                values.append(argument & (1 << 64) - 1)
        # Over what would come next, which never does: syscall, and a breakpoint.
        self._write(registers.rip, b"\x0f\x05\xcc")
        registers.rax, registers.orig_rax = number, (1 << 64) - 1
        for name, value in zip(("rdi", "rsi", "rdx", "r10", "r8", "r9"), values):
            setattr(registers, name, value)
        self._trace(_SETREGS, ctypes.addressof(registers))
        status = self._continue()
        if os.WIFSIGNALED(status):
            raise Died(os.WTERMSIG(status))
        if os.WIFEXITED(status):
            raise Died(0)
        if status >> 8 == signal.SIGTRAP | 4 << 8:
            raise Execution()
        if os.WSTOPSIG(status) != signal.SIGTRAP:
            raise Died(os.WSTOPSIG(status))
        result = self._registers().rax
        return result - (1 << 64) if result >> 63 else result
