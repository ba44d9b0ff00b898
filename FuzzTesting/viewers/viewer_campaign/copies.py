# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Copies of judged pictures and films: each is shown by viewers, and has to look as it was judged.

Claim: no copy whose verdict is notSensitive shows the test pattern, in test mode. All viewers show the pixels of the
PNG copy, laid over white, over black or without opacity; of lossy copies, within what the encoder costs. Films are
copied encoded anew, and without encoding into MP4 and Matroska, and are shown by players."""

import itertools
import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, _webp

from .backends.imagemagick import AS_STORED
from .lane import Lane, Settings
from .looking import model_input
from .pool import PLAYERS, VIEWERS

FORMATS = ("png", "jpeg", "webp")
# The endings and options of copies of films.
FILM_COPIES = (("mp4", ()), ("mp4", ("--remux",)), ("mkv", ("--remux",)))
FILMS = (".3gp", ".avi", ".dv", ".flv", ".mkv", ".mov", ".mp4", ".mpg", ".ogg", ".ts", ".webm", ".wmv")
# The largest mean difference of the model's inputs: rounding, for a lossless copy; beside the encoder's own, for others.
LOSSLESS, LOSSY = 1.0, 2.5
# Viewers smooth the reduced colours of a lossy copy or leave them in squares, which differs as the encoder's own does.
ENCODERS_OWN = 1.5
# The command's own limits count time of a processor, so a busy machine may take long.
SECONDS = 600
# Frames of a copied animation that are compared with what viewers show.
MOST_FRAMES = 600
# The campaign's pages of browsers show larger pictures reduced, by single pixels of them.
BROWSERS, LONGEST, BLUR = ("Chromium", "Firefox"), 1120, 15
# These see each copy of a picture or of a film, and the others a share of them. Players take seconds for a picture.
QUICK = ("Pillow", "GdkPixbuf", "ffmpeg")
PICTURE_VIEWERS = tuple(each for each in VIEWERS if each not in ("VLC", "mpv", "GStreamer"))
# A picture or its later frames are over a limit or damaged, which the program states with a remedy.
STATED = ("limitExceeded", "malformedMedia")


def frames_of(path: Path, first: int = 0) -> list[np.ndarray]:
    """The model's inputs of all looks of an animated WebP's frames from `first` on.

    Pillow's image has no opacity where the header announces none, but a frame that is cleared is transparent."""
    decoder = _webp.WebPAnimDecoder(path.read_bytes())
    size, _, _, count, _ = decoder.get_info()
    looks: list[np.ndarray] = []
    for number in range(min(count, MOST_FRAMES)):
        pixels, _ = decoder.get_next()
        image = Image.frombytes("RGBA", size, pixels)
        if number >= first:
            looks += looks_of_image(image if image.getextrema()[3][0] < 255 else image.convert("RGB"))
    return looks


def looks_of(path: Path) -> list[np.ndarray]:
    """The model's inputs of the looks that a picture with opacity may have."""
    with Image.open(path) as image:
        return looks_of_image(image)


def looks_of_image(image: Image.Image) -> list[np.ndarray]:
    """The model's inputs of the looks that the current frame may have."""
    if image.mode != "RGBA":
        return [model_input(np.asarray(image.convert("RGB")))]
    looks = [image.convert("RGB")]
    for level in (255, 0):
        ground = Image.new("RGBA", image.size, (level, level, level, 255))
        looks.append(Image.alpha_composite(ground, image).convert("RGB"))
    return [model_input(np.asarray(each)) for each in looks]


def distance(one: np.ndarray, others: list[np.ndarray], blur: int = 1) -> float:
    """The smallest mean difference to one of the others, of means over squares of `blur` pixels."""

    def blurred(values: np.ndarray) -> np.ndarray:
        return np.asarray(cv2.blur(values.astype(np.float32), (blur, blur)))

    return min(float(np.abs(blurred(one) - blurred(other)).mean()) for other in others)


class Copier:
    """One process's part: it copies files and shows the copies."""

    def __init__(self, settings: Settings, number: int) -> None:
        self.lane = Lane(settings, number)
        self.command, self.work = settings.command, self.lane.work
        self.files = 0

    def _copy(self, source: Path, form: str, options: tuple[str, ...] = ()) -> tuple[int, Path, str]:
        # Browsers keep pictures by their addresses.
        target = self.work / f"{self.files}-{''.join(options)}{source.stem}.{form}"
        chosen = options or ("--format", form)
        try:
            run = subprocess.run(
                [self.command, "copy", *chosen, "--", source, target],
                env={**os.environ, "SCA_TEST_MODE": "1"}, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return -1, target, f"no end within {SECONDS} s"
        return run.returncode, target, run.stdout + run.stderr

    def row(self, name: str, source: Path) -> dict[str, Any]:
        """The outcome for one file: the exit code and, for each format, what viewers show otherwise."""
        self.files += 1
        row: dict[str, Any] = {"name": name, "failures": [], "looks": 0, "viewers": {}}
        code, png, words = self._copy(source, "png")
        row["code"] = code
        if png.exists() != (code == 0) or code not in (0, 1, 2):
            row["failures"].append(f"exit code {code}, {words[:300]}")
        if code != 0:
            row["reason"] = words[:300]
            return row
        judged = looks_of(png)
        for form in FORMATS:
            code, path, words = (0, png, "") if form == "png" else self._copy(source, form)
            if code != 0:
                self._note_refusal(row, form, code, words)
                continue
            allowed, grounds = LOSSLESS, judged
            if form != "png":
                allowed = LOSSY + ENCODERS_OWN * max(distance(each, judged) for each in looks_of(path)[:1])
            if form == "webp":
                # The first frame is the picture of the other copies, and an animation has more.
                grounds = [*judged, *frames_of(path, first=1)]
            self._show(row, form, path, grounds, allowed)
            path.unlink()
        return row

    def _note_refusal(self, row: dict[str, Any], form: str, code: int, words: str) -> None:
        """A copy whose own pixels are sensitive (1), or that is over a limit or damaged, is rightly refused."""
        if code == 1 or code == 2 and any(each in words for each in STATED):
            row.setdefault("refused", []).append(f"{form}: exit code {code}, {words[:300]}")
        else:
            row["failures"].append(f"{form}: exit code {code}, {words[:300]}")

    def _viewers(self, name: str, kinds: tuple[str, ...]) -> list[str]:
        """The viewers that see the copies of a file: the quick ones each, the others a share, and one of them always."""
        number = int(name[1:]) if "/" not in name else 0
        slow = [each for each in self.lane.workers if each in kinds and each not in QUICK]
        every = self.lane.settings.slow_every
        chosen = slow if number % every == 0 else [slow[number % len(slow)]] if slow else []
        return [each for each in self.lane.workers if each in QUICK and each in kinds or each in chosen]

    def film_row(self, name: str, source: Path) -> dict[str, Any]:
        """The outcome for one film: the exit code of the encoded copy, and the players that show the pattern in any copy."""
        self.files += 1
        row: dict[str, Any] = {"name": name, "code": 2, "failures": [], "looks": 0, "viewers": {}, "remuxed": 0}
        for form, options in FILM_COPIES:
            kind = " ".join((form, *options))
            code, path, words = self._copy(source, form, options)
            if path.exists() != (code == 0) or code not in (0, 1, 2):
                row["failures"].append(f"{kind}: exit code {code}, {words[:300]}")
            if not options:
                row["code"] = code
            if code != 0:
                row.setdefault("reasons", {})[kind] = words[:300]
                continue
            row["remuxed"] += bool(options)
            for viewer in self._viewers(name, PLAYERS):
                self._look(row, kind, viewer, path)
            path.unlink()
        return row

    def _look(self, row: dict[str, Any], kind: str, viewer: str, path: Path) -> dict[str, Any] | None:
        """Notes what a viewer shows of a copy, and returns its look; None if it shows nothing."""
        look = self.lane.workers[viewer].look(path)
        if look["shown"]:
            row["failures"].append(f"{kind}: {viewer} shows the pattern")
        if not look["inputs"]:
            row.setdefault("unshown", []).append(f"{kind}: {viewer}, {look['problem']}")
            return None
        row["looks"] += 1
        row["viewers"][viewer] = row["viewers"].get(viewer, 0) + 1
        return look

    def _show(self, row: dict[str, Any], form: str, path: Path, judged: list[np.ndarray], allowed: float) -> None:
        for viewer in self._viewers(row["name"], PICTURE_VIEWERS):
            look = self._look(row, form, viewer, path)
            if look is None:
                continue
            grounds = judged
            if form == "jpeg":
                # Transparent pixels lie over white in a JPEG copy.
                grounds = judged[1:2] if len(judged) > 1 else judged
            is_reduced = viewer in BROWSERS and max(Image.open(path).size) > LONGEST
            blur = BLUR if is_reduced else 1
            shown = zip(look["labels"], np.load(look["inputs"]))
            farthest = max((distance(values, grounds, blur) for label, values in shown if AS_STORED not in label), default=0)
            if farthest > allowed:
                row["failures"].append(f"{form}: {viewer} differs by {farthest:.1f}, and {allowed:.1f} is allowed")


copier: Copier


def _start(settings: Settings, numbers: "multiprocessing.Queue[int]") -> None:
    global copier
    copier = Copier(settings, numbers.get())


def _work(name: str) -> dict[str, Any]:
    if "/" in name:
        path = Path(name)
        return copier.film_row(name, path) if path.suffix.lower() in FILMS else copier.row(name, path)
    made = copier.lane.generate(name)
    path = copier.work / made.name
    path.write_bytes(made.data)
    row = copier.film_row(name, path) if name[0] in "sv" else copier.row(name, path)
    path.unlink()
    return row


def run(settings: Settings, names: list[str], log: Path, earlier: dict[str, dict[str, Any]], lanes: int) -> int:
    """Copies files and those that the grammar makes; returns 1 where a copy is shown otherwise than it was judged.

    The log already has the rows of earlier names."""
    done = [earlier[each] for each in names if each in earlier]
    left = [each for each in names if each not in earlier]
    numbers: "multiprocessing.Queue[int]" = multiprocessing.Queue()
    for number in range(lanes):
        numbers.put(number)
    totals = {"files": 0, "written": 0, "remuxed": 0, "looks": 0, "refused": 0, "failures": 0}
    viewers: dict[str, int] = {}
    with multiprocessing.Pool(lanes, _start, (settings, numbers)) as pool, log.open("a") as lines:
        for row in itertools.chain(done, pool.imap_unordered(_work, left)):
            if row["name"] not in earlier:
                lines.write(json.dumps(row) + "\n")
                lines.flush()
            totals["files"] += 1
            totals["written"] += row["code"] == 0
            totals["remuxed"] += row.get("remuxed", 0)
            totals["looks"] += row["looks"]
            totals["refused"] += len(row.get("refused", []))
            totals["failures"] += bool(row["failures"])
            for viewer, looks in row["viewers"].items():
                viewers[viewer] = viewers.get(viewer, 0) + looks
            for failure in row["failures"]:
                print(f"FAILED: {row['name']}: {failure}", flush=True)
            print(f"\r{totals['files']} of {len(names)} files, {totals['failures']} failures   ", end="", file=sys.stderr)
    print(file=sys.stderr)
    print(
        f"{totals['written']} of {totals['files']} files have copies, and there are {totals['remuxed']} without encoding; "
        f"{totals['looks']} looks at them, "
        f"{', '.join(f'{viewer} {looks}' for viewer, looks in sorted(viewers.items()))}; {totals['refused']} further copies were "
        f"sensitive, damaged or over a limit; {totals['failures']} files failed.")
    return 1 if totals["failures"] else 0
