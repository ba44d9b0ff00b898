# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""A decoder process that a test has started by itself, and the first words with it."""

import fcntl
import os
import socket
import struct
import subprocess

from support.reporting import Failed

# In the order of their bits in the greeting.
LAYERS = ["no-new-privileges", "namespaces", "empty-file-system", "resource-limits", "memory-limit", "landlock",
          "system-call-filter"]
MAGIC, VERSION = 0x44414353, 20
HEADER = struct.Struct("<IHHQ")
PIXEL_BYTES = 64 << 20
SHRINK_GROW_SEAL = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


def wrap(folder, program, options):
    """Writes a program of the same name into the folder, which starts this one with more options."""
    script = folder / program.name
    script.write_text(f'#!/bin/sh\nexec "{program}" "$@" {" ".join(options)}\n')
    script.chmod(0o755)


def layers_of_greeting(answer):
    """The layers that are in force, and the version of Landlock, of an answer to a greeting."""
    if len(answer) < HEADER.size or HEADER.unpack_from(answer)[2:] not in ((101, 7), (101, 0)):
        raise Failed("the helper did not answer the greeting.")
    offset = HEADER.size
    for _ in range(2):  # its version and that of its library
        offset += 2 + struct.unpack_from("<H", answer, offset)[0]
    bits, version = struct.unpack_from("<HB", answer, offset)
    return {name for index, name in enumerate(LAYERS) if bits >> index & 1}, version


class Decoder:
    """A decoder as the host starts it; ended with its block."""

    def __init__(self, path, layers=None, options=(), user=None, memory=1 << 30, inherited=()):
        """Starts it with these layers of the sandbox only, or with all, and lets it inherit descriptors."""
        without = [] if layers is None else [f"without={name}" for name in LAYERS if name not in layers]
        self.socket, end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(30)
        self.memory = os.memfd_create("sca-pixels", os.MFD_ALLOW_SEALING)
        os.truncate(self.memory, PIXEL_BYTES)
        fcntl.fcntl(self.memory, fcntl.F_ADD_SEALS, SHRINK_GROW_SEAL)

        def become():
            os.dup2(end.fileno(), 3)
            if user is not None:
                os.setgroups([])
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)

        self.process = subprocess.Popen(
            [str(path), str(memory), *without, *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={"SWIFT_BACKTRACE": "enable=no"}, cwd="/", preexec_fn=become, pass_fds=(3, *inherited))
        end.close()
        self.layers, self.landlock = self._greet()

    def _greet(self):
        text = b"145.0.0"
        message = HEADER.pack(MAGIC, VERSION, 1, 7) + struct.pack("<H", len(text)) + text
        socket.send_fds(self.socket, [message], [self.memory])
        return layers_of_greeting(self.socket.recv(4096))

    @staticmethod
    def limits(seconds=10):
        """The default limits: numbers and then times in microseconds, in the order of AnalysisLimits."""
        return struct.pack("<11Q", 1 << 28, 65_535, 100_000_000, 300_000_000, 1 << 40, 10_000_000, 1 << 30,
                           seconds * 1_000_000, 3_600_000_000, 60_000_000, 86_400_000_000)

    def decode(self, file, minimum=256, seconds=10):
        """Has the picture of an open file decoded; returns the kind of the answer and the answer itself."""
        request = (HEADER.pack(MAGIC, VERSION, 2, 9) + struct.pack("<II", minimum, minimum) + self.limits(seconds)
                   # No search for codes, the fast preset, no sequence.
                   + bytes([0, 1, 0]))
        socket.send_fds(self.socket, [request], [file])
        answer = self.socket.recv(4096)
        return HEADER.unpack_from(answer)[2], answer[HEADER.size:]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        os.close(self.memory)
        self.process.kill()
        self.process.wait()


class StreamingDecoder(Decoder):
    """A video decoder that has opened a live stream, and waits for the request for its first frame."""

    def _greet(self):
        state = super()._greet()
        reading, self.writing = os.pipe()
        # The format is found, and the app displays the frames, which may change their look.
        request = HEADER.pack(MAGIC, VERSION, 16, 9) + b"\0" + self.limits() + bytes([1, 0])
        socket.send_fds(self.socket, [request], [reading])
        os.close(reading)
        answer = self.socket.recv(4096)
        if HEADER.unpack_from(answer)[2:] != (116, 9):
            raise Failed("the decoder did not open the stream.")
        return state

    def __exit__(self, *arguments):
        super().__exit__(*arguments)
        os.close(self.writing)
