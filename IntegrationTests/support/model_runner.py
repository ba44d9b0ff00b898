# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""A model's process that a test has started by itself, with a model loaded."""

import fcntl
import json
import os
import socket
import struct
import subprocess
from pathlib import Path

from support import processes, tracing
from support.command import FIXTURES
from support.decoder import HEADER, LAYERS, MAGIC, PIXEL_BYTES, SHRINK_GROW_SEAL, VERSION, Decoder, layers_of_greeting
from support.inference import library_folder
from support.reporting import Failed, Skipped

LANES = 2
TRAILER = 64  # the state of the files, and a digest


def model_folder():
    for folder in (os.environ.get("SCA_MODELS"), "/usr/local/share/sensitive-content-analysis/models",
                   Path.home() / ".local/share/sensitive-content-analysis/models"):
        if folder and (Path(folder) / "open-nsfw/model.onnx").exists():
            return Path(folder) / "open-nsfw"
    raise Skipped("the model is not installed: run scripts/bootstrap --for test")


class Copy:
    """A compiled copy of the default model, as the command makes it."""

    def __init__(self, command, folder):
        """Lets the command make it below a folder."""
        subprocess.run([command, "analyze", FIXTURES / "plain/plain.jpg"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "XDG_CACHE_HOME": str(folder)})
        # The command keeps none of its own where an administrator has installed one.
        installed = Path("/usr/local/lib/sensitive-content-analysis/compiled")
        self.path = next((file for root in (Path(folder), installed) for file in root.rglob("model.blob")), None)
        if self.path is None:
            raise Failed("the command has kept no compiled copy of the model.")
        self.state = self.path.read_bytes()[-TRAILER:-TRAILER // 2]


def _text(text):
    encoded = str(text).encode()
    return struct.pack("<H", len(encoded)) + encoded


class ModelRunner(Decoder):
    """The model's process as the host starts it, with two connections; ended with its block."""

    def __init__(self, path, copy, *arguments, **options):
        self.copy = copy
        super().__init__(path, *arguments, **{"memory": 1 << 31, **options})

    def _send(self, kind, body=b"", descriptors=(), over=None):
        message = HEADER.pack(MAGIC, VERSION, kind, 7) + body
        socket.send_fds(over or self.socket, [message], list(descriptors))

    def _greet(self):
        manifest = json.loads((model_folder() / "manifest.json").read_text())
        self._send(1, _text("145.0.0"), [self.memory])
        self.lanes = []
        for _ in range(LANES - 1):
            lane, end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._send(9, descriptors=[end.fileno()])
            end.close()
            memory = os.memfd_create("sca-pixels", os.MFD_ALLOW_SEALING)
            os.truncate(memory, PIXEL_BYTES)
            fcntl.fcntl(memory, fcntl.F_ADD_SEALS, SHRINK_GROW_SEAL)
            self._send(1, _text("145.0.0"), [memory], over=lane)
            os.close(memory)
            self.lanes.append(lane)
        with open(model_folder() / manifest["file"], "rb") as model, open(self.copy.path, "rb") as copy:
            self._send(10, descriptors=[model.fileno()])
            self._send(11, struct.pack("<H", len(self.copy.state)) + self.copy.state, [copy.fileno()])
        self._send(13, self._setup(manifest))
        layers = layers_of_greeting(self.socket.recv(4096))
        if HEADER.unpack_from(self.socket.recv(4096))[2] != 112:
            raise Failed("the model's process did not load the model.")
        return layers

    @staticmethod
    def _setup(manifest):
        given = manifest["input"]
        resize, known = given["resize"], manifest["knownAnswers"]
        parts = [_text(library_folder()), bytes.fromhex(manifest["sha256"]), struct.pack("<Q", manifest["byteCount"]),
                 _text(given["name"]),
                 struct.pack("<IIBB", given["width"], given["height"], given["layout"] == "NCHW", given["channelOrder"] == "BGR"),
                 struct.pack("<6f", *given["mean"], *given["scale"]),
                 struct.pack("<IIB", resize["width"], resize["height"], resize["filter"] == "bicubic"),
                 _text(resize["mode"]), _text(resize["crop"]),
                 bytes([len(manifest["outputs"])])]
        for output in manifest["outputs"]:
            parts += [_text(output["name"]), struct.pack("<I", output["column"])]
        labels = manifest.get("labels")
        parts += [struct.pack("<I", len(labels["names"])), _text(labels["output"])] if labels else [struct.pack("<I", 0)]
        scores = sum(known["scores"], [])
        parts += [bytes([LANES, 1]), struct.pack(f"<{1 + len(scores)}f", known["tolerance"], *scores)]
        return b"".join(parts)

    def threads(self):
        """The numbers of all threads but the first: the other connection's, and those of the inference library."""
        pid = self.process.pid
        return sorted(int(name) for name in os.listdir(f"/proc/{pid}/task") if int(name) != pid)

    def __exit__(self, *arguments):
        for lane in self.lanes:
            lane.close()
        self.process.kill()
        tracing.collect_threads(self.process.pid)
        super().__exit__(*arguments)


class LoadingRunner(Decoder):
    """A model's process that waits for the model: the sandbox is begun and not closed."""

    def __init__(self, path, layers=None, *arguments, **options):
        self.wanted = set(LAYERS if layers is None else layers)
        super().__init__(path, layers, *arguments, **options)

    def _greet(self):
        # The thread that waits for the end of the host is started after the sandbox is begun. Both have to wait: a thread
        # that runs could reach the instructions that the tracer puts into the place of others.
        if processes.wait_until(lambda: self._waiting_threads() >= 2, 30, interval=0.005) is None:
            raise Failed("the model's process does not begin its sandbox.")
        return self.wanted, 0

    def _waiting_threads(self):
        """How many threads there are, if all of them wait; otherwise 0."""
        try:
            states = [processes.state(f"{self.process.pid}/task/{thread}")
                      for thread in os.listdir(f"/proc/{self.process.pid}/task")]
        except FileNotFoundError:
            return 0
        return len(states) if set(states) == {"S"} else 0

    def __exit__(self, *arguments):
        self.process.kill()
        tracing.collect_threads(self.process.pid)
        super().__exit__(*arguments)
