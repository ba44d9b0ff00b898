# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The command line of the campaign."""

import argparse
import hashlib
import json
import multiprocessing
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

from . import compare, minimise, prepare, report
from .lane import Lane, Row, Settings
from .pool import VIEWERS

ROOT = Path(__file__).resolve().parents[3]
CHUNK = 64
# Code that works on results, and may change without making them void.
AFTERWARDS = ("claims.py", "command.py", "compare.py", "explained.py", "minimise.py", "report.py")
lane: Lane


def _start(settings: Settings, numbers: "multiprocessing.Queue[int]") -> None:
    global lane
    lane = Lane(settings, numbers.get())


def _rows(names: list[str]) -> list[Row]:
    return lane.rows(names)


def _number(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is less than 0")
    return number


def _positive(text: str) -> int:
    number = _number(text)
    if number == 0:
        raise argparse.ArgumentTypeError("0 is too few")
    return number


def _name(text: str) -> str:
    if not re.fullmatch(r"[isv][0-9]{6}", text):
        raise argparse.ArgumentTypeError(f"{text} names no file: i, s or v and six digits do, such as i000123")
    return text


def _choice(text: str) -> str:
    if "=" not in text:
        raise argparse.ArgumentTypeError(f"{text} has no '=': write CHOICE=OPTION")
    return text


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="FuzzTesting/viewers/run",
        description="Compares the verdicts of sca with what "
        "viewers show, for files that a grammar makes. Goes on where it was interrupted.",
    )
    parser.add_argument("--count", type=_number, default=3000, metavar="N", help="image files (default: 3000)")
    parser.add_argument("--videos", type=_number, default=0, metavar="N", help="video files (default: 0)")
    parser.add_argument(
        "--structures", type=_number, default=0, metavar="N", help="video files with a changed structure (default: 0)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="other files for other seeds (default: 1)")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / ".build-viewers", help="results (default: .build-viewers)"
    )
    parser.add_argument(
        "--viewers",
        nargs="+",
        choices=VIEWERS,
        default=list(VIEWERS),
        metavar="VIEWER",
        help=f"some of {', '.join(VIEWERS)} (default: all)",
    )
    parser.add_argument(
        "--slow-every",
        type=_positive,
        default=1,
        metavar="N",
        help="Chromium, Qt and ImageMagick see each Nth image file (default: each)",
    )
    parser.add_argument(
        "--sca",
        type=Path,
        default=ROOT / ".build-tests/release/sca",
        metavar="PATH",
        help="the command, with the programs that it starts beside it (default: .build-tests/release/sca)",
    )
    parser.add_argument("--lanes", type=_positive, default=os.cpu_count() or 1, metavar="N", help="files worked on at once")
    parser.add_argument("--classes", type=_number, default=60, metavar="N", help="failures that are minimised at most")
    parser.add_argument(
        "--only", type=_name, metavar="NAME", help="one file again, such as i000123 or v000123; it is kept in the folder"
    )
    parser.add_argument("--force", type=_choice, nargs="*", default=[], metavar="CHOICE=OPTION", help="with --only: other options")
    parser.add_argument(
        "--copies",
        type=_number,
        metavar="N",
        help="instead, show copies (sca copy) of N image files, of --videos and --structures, and of --files",
    )
    parser.add_argument(
        "--mutated-copies",
        type=_positive,
        metavar="N",
        help="instead, open copies (sca analyze --copy-to) of N damaged files of the fixtures",
    )
    parser.add_argument("--files", type=Path, nargs="+", default=[], metavar="PATH", help="with --copies: files to copy")
    parser.add_argument("--test", action="store_true", help="check the campaign's own code, without sca")
    parser.add_argument(
        "--gate", action="store_true", help="the small set of the gate: 150 files, three viewers, no results kept"
    )
    return parser.parse_args()


def _identity(settings: Settings) -> str:
    """What results of one folder have in common: the seed, the build, and the code that makes files and shows them."""
    digest = hashlib.sha256(str(settings.seed).encode())
    builds = [
        settings.command.with_name(name)
        for name in ("sca", "sca-image-decoder", "sca-video-decoder", "sca-media-encoder", "sca-model-runner")
    ]
    code = [path for path in sorted(Path(__file__).parent.rglob("*.py")) if path.name not in AFTERWARDS]
    for path in [*builds, *code]:
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


def _log(settings: Settings, name: str) -> Path:
    """The file of results, which is empty or has those of the same seed, build and code."""
    log = settings.folder / name
    identity = log.with_suffix(".identity")
    if log.exists() and (not identity.exists() or identity.read_text() != _identity(settings)):
        old = log.with_suffix(".old.jsonl")
        print(f"{log} has the results of another build or seed: they are kept in {old.name}", file=sys.stderr)
        log.replace(old)
    identity.write_text(_identity(settings))
    return log


def results(path: Path) -> Iterator[Row]:
    """The rows of a file; a last line that was cut off is removed, so that its file is worked on again."""
    if not path.exists():
        return
    whole = 0
    with path.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                whole += len(line)
                yield json.loads(line)
    os.truncate(path, whole)


def _run(settings: Settings, names: list[str], path: Path, lanes: int) -> None:
    """Works on the files, and appends their results."""
    numbers: "multiprocessing.Queue[int]" = multiprocessing.Queue()
    for number in range(lanes):
        numbers.put(number)
    start, done, failures = time.monotonic(), 0, 0
    chunks = [names[at : at + CHUNK] for at in range(0, len(names), CHUNK)]
    with ProcessPoolExecutor(lanes, initializer=_start, initargs=(settings, numbers)) as executor, path.open(
        "a"
    ) as log:
        pending: set[Future[list[Row]]] = set()
        while chunks or pending:
            while chunks and len(pending) < lanes:
                pending.add(executor.submit(_rows, chunks.pop(0)))
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            for each in finished:
                rows = each.result()
                log.write("".join(json.dumps(row) + "\n" for row in rows))
                log.flush()
                done += len(rows)
                failures += sum(bool(row["failures"]) for row in rows)
            rate = done / (time.monotonic() - start)
            print(
                f"\r{done} of {len(names)} files, {failures} failures, {rate:.1f} a second, "
                f"{(len(names) - done) / max(rate, .01) / 60:.0f} minutes left   ",
                end="",
                file=sys.stderr,
                flush=True,
            )
    print(file=sys.stderr)


def _only(settings: Settings, name: str, forced: dict[str, str]) -> int:
    single = Lane(settings, 99)
    try:
        made = single.generate(name, forced)
        (settings.folder / made.name).write_bytes(made.data)
        row = single.rows([name], [forced], [*settings.viewers])[0]
    finally:
        single.stop()
    print(json.dumps(row, indent=1))
    print(f"the file is {settings.folder / made.name}", file=sys.stderr)
    return 1 if row["failures"] else 0


def main() -> int:
    """Runs the campaign, and returns 1 where a failure was found."""
    arguments = _arguments()
    if arguments.test:
        from . import claims

        return claims.main()
    if not arguments.sca.is_file():
        sys.exit(f"{arguments.sca} is missing: make build-tests, or name a build with --sca PATH.")
    viewers = ("Pillow", "ffmpeg", "GdkPixbuf") if arguments.gate else tuple(arguments.viewers)
    settings = Settings(
        arguments.folder.resolve(), arguments.sca.resolve(), arguments.seed, viewers, arguments.slow_every
    )
    if arguments.mutated_copies is not None:
        from . import mutated

        return mutated.run(settings, arguments.mutated_copies, arguments.lanes)
    prepare.prepare(settings.content, settings.command)
    if arguments.copies is not None:
        from . import copies

        counts = {"i": arguments.copies, "v": arguments.videos, "s": arguments.structures}
        names = [str(each.resolve()) for each in arguments.files]
        names += [f"{kind}{index:06d}" for kind, count in counts.items() for index in range(count)]
        log = _log(settings, "copies.jsonl")
        return copies.run(settings, names, log, {row["name"]: row for row in results(log)}, arguments.lanes)
    if arguments.only:
        return _only(settings, arguments.only, dict(each.split("=", 1) for each in arguments.force))
    if arguments.gate:
        (settings.folder / "gate.jsonl").unlink(missing_ok=True)
    log = _log(settings, "gate.jsonl" if arguments.gate else "results.jsonl")
    done = {row["name"] for row in results(log)}
    count = 150 if arguments.gate else arguments.count
    names = [f"i{index:06d}" for index in range(count)] + [f"v{index:06d}" for index in range(arguments.videos)]
    names += [f"s{index:06d}" for index in range(arguments.structures)]
    _run(settings, [name for name in names if name not in done], log, arguments.lanes)
    figures = report.Figures()
    failed = []
    for row in results(log):
        # The list of explanations may have changed since the file was shown.
        compare.compare(row)
        figures.add(row)
        if row["failures"]:
            failed.append(row)
    classes: list[dict] = []
    if failed:
        print(f"{len(failed)} files fail; reducing them to the features that they need", file=sys.stderr, flush=True)
        single = Lane(settings, 99)
        try:
            classes = minimise.classes(single, failed, settings.folder / "failures", arguments.classes)
        finally:
            single.stop()
    page = report.text(figures, classes)
    (settings.folder / "report.md").write_text(page)
    print(page)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
