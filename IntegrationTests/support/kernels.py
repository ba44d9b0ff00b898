# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Kernels that lack something, simulated: its system calls fail as they would there, for a program and its children."""

import ctypes
import errno
import platform
import struct

from support.reporting import Skipped

_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_SET_NO_NEW_PRIVILEGES, _SET_FILTER_MODE, _FILTER = 38, 22, 2
_NUMBERS = {
    "x86_64": {"unshare": 272, "landlock_create_ruleset": 444, "seccomp": 317},
    "aarch64": {"unshare": 97, "landlock_create_ruleset": 444, "seccomp": 277},
}


class _Program(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def lacking(*calls, error=errno.ENOSYS):
    """A function for `preexec_fn` after which these system calls fail."""
    numbers = _NUMBERS.get(platform.machine())
    if numbers is None:
        raise Skipped(f"the numbers of system calls are not known for {platform.machine()}")
    # The number of the call; for each, the error; otherwise the call.
    code = struct.pack("<HBBI", _LOAD, 0, 0, 0)
    for call in calls:
        code += struct.pack("<HBBI", _JUMP_EQUAL, 0, 1, numbers[call])
        code += struct.pack("<HBBI", _RETURN, 0, 0, _ERROR | error)
    code += struct.pack("<HBBI", _RETURN, 0, 0, _ALLOW)
    program = _Program(len(code) // 8, code)
    libc = ctypes.CDLL(None, use_errno=True)

    def install():
        if libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(
                _SET_FILTER_MODE, _FILTER, ctypes.byref(program), 0, 0):
            raise OSError(ctypes.get_errno(), "the simulated kernel cannot be set up")

    return install
