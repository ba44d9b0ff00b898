# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The command under test, as a copy in a folder of its own, so that its processes can be told from all others."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support import processes
from support.reporting import Failed

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests/Fixtures"
DECODER = "sca-image-decoder"
VIDEO_DECODER = "sca-video-decoder"
ENCODER = "sca-media-encoder"
MODEL_RUNNER = "sca-model-runner"


def complaints(errors):
    """The lines of standard error but for the totals, which end every run."""
    return "\n".join(line for line in errors.splitlines() if not re.match(r"\d+ files?: \d+ sensitive, ", line))


def build_folder():
    """The folder of the binaries: SCA_BUILD, or the release build with tests that `make build-tests` makes."""
    folder = Path(os.environ.get("SCA_BUILD") or ROOT / ".build-tests/release").resolve()
    if not (folder / "sca").is_file():
        raise Failed(f"{folder}/sca is missing: run \"make build-tests\", or name the folder of the binaries in SCA_BUILD")
    return folder


@dataclass
class Outcome:
    """What a run of `sca analyze --format jsonl` gave."""

    lines: list
    exit_code: int
    errors: str
    seconds: float

    def by_path(self):
        return {line["path"]: line for line in self.lines}


class Run:
    """A command that is running; its output is read line by line."""

    def __init__(self, process, errors):
        self.process = process
        self.pid = process.pid
        self._errors = errors
        self.start = time.monotonic()

    def lines(self):
        """The objects of the output as they come."""
        for line in self.process.stdout:
            yield json.loads(line)

    def errors(self):
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")


class Command:
    def __init__(self, folder, decoder=DECODER):
        """Copies the command, and a program of the build folder as its decoder, into a folder."""
        self.folder = Path(folder).resolve()
        self.folder.mkdir(exist_ok=True)
        self.path = self.folder / "sca"
        self.decoder = self.folder / DECODER
        self.video_decoder = self.folder / VIDEO_DECODER
        self.model_runner = self.folder / MODEL_RUNNER
        self.encoder = self.folder / ENCODER
        for name, target in (("sca", self.path), (decoder, self.decoder), (VIDEO_DECODER, self.video_decoder),
                             (MODEL_RUNNER, self.model_runner), (ENCODER, self.encoder)):
            try:
                shutil.copy(build_folder() / name, target)
            except OSError as error:
                raise Failed(f"{build_folder() / name} cannot be copied ({error.strerror}): build it first, or name "
                             "the folder of the binaries in SCA_BUILD.") from error

    def decoders(self):
        """The decoder processes of this copy that are alive, orphans included."""
        return processes.with_executable(self.decoder) + processes.with_executable(self.video_decoder)

    def encoders(self):
        """The encoder processes of this copy that are alive, orphans included."""
        return processes.with_executable(self.encoder)

    def helpers(self):
        """The decoder processes, encoders and the model's processes of this copy that are alive, orphans included."""
        return self.decoders() + self.encoders() + processes.with_executable(self.model_runner)

    @contextmanager
    def started(self, arguments, prefix=(), stdin=subprocess.DEVNULL, environment=None):
        """Starts `sca analyze --format jsonl`, and ends whatever of it is left."""
        variables = {name: value for name, value in os.environ.items() if name != "SCA_TEST_MODE"}
        variables.update(environment or {})
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                [*prefix, str(self.path), "analyze", "--format", "jsonl", *map(str, arguments)],
                stdin=stdin, stdout=subprocess.PIPE, stderr=errors, env=variables, text=True,
                # What runs in the background, as tests may, has it ignored, and hands that on.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            try:
                yield Run(process, errors)
            finally:
                process.kill()
                for stream in (process.stdin, process.stdout):
                    if stream:
                        stream.close()
                process.wait()
                for pid in self.helpers():
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass

    def analyze(self, arguments, seconds, **options):
        """Runs `sca analyze --format jsonl` to its end, which must come within so many seconds."""
        with self.started(arguments, **options) as run:
            try:
                output, _ = run.process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                raise Failed(f"sca analyze had not ended after {seconds} s.") from None
            return Outcome([json.loads(line) for line in output.splitlines()], run.process.returncode,
                           run.errors().strip(), time.monotonic() - run.start)


@contextmanager
def temporary_folder():
    """A folder that everyone may read, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="sca-test-") as name:
        os.chmod(name, 0o755)
        yield Path(name).resolve()
