# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Work on some files at a time: make them, show them to the viewers, have them judged, and compare."""

import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from . import clips, compare, explained, judge, recipe, structures, videos
from .backends import ffmpeg
from .content import Library
from .looking import model_input
from .pool import PLAYERS, VIEWERS, Worker
from .recipe import Generated
from .scoring import Scorer

# Frames of one shot differ by less than this in the mean: by what their coding costs.
ALIKE = 8
# The most frames of a stream that are scored; clips have fewer.
MOST_SCORED = 100
# How many kinds of noise a score is tried with.
NOISES = 8
# A picture whose levels differ by no more is blank.
BLANK = 8
Row = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """What a campaign is made of."""

    folder: Path
    command: Path
    seed: int
    viewers: tuple[str, ...] = VIEWERS
    # The slower viewers see each file whose index is a multiple of this.
    slow_every: int = 1
    model: str | None = None

    @property
    def content(self) -> Path:
        return self.folder / "content"


SLOW = ("Qt", "ImageMagick", "Chromium")


def _turned(values: np.ndarray) -> list[np.ndarray]:
    """The model's input turned and mirrored in each of the seven ways."""
    ways = [np.rot90(each, turns) for each in (values, values[:, ::-1]) for turns in range(4)]
    return [np.ascontiguousarray(each) for each in ways[1:]]


def _varied(values: np.ndarray) -> list[np.ndarray]:
    """The model's input with changes that nobody sees: two levels lighter and darker, blurred by one pixel, and with
    noise of one level, as rounding makes it."""
    wide = values.astype(np.int16)
    changes = [2, -2, *(np.random.default_rng(seed).integers(-1, 2, values.shape) for seed in range(NOISES))]
    return [np.clip(wide + change, 0, 255).astype(np.uint8) for change in changes] + [cv2.blur(values, (3, 3))]


class Lane:
    """One process's part of the campaign, with viewers of its own."""

    def __init__(self, settings: Settings, number: int) -> None:
        self.settings = settings
        self.library = Library.load(settings.content)
        self.clip = (settings.content / "pattern.mp4").read_bytes()
        self.work = settings.folder / "work" / str(number)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.workers = {name: Worker(name, self.work) for name in settings.viewers}
        self.scorer = Scorer(settings.model)
        # The model's input with the highest score of each viewer of a file.
        self.best: dict[str, np.ndarray] = {}

    def generate(self, name: str, forced: dict[str, str] | None = None) -> Generated:
        """The file of a name such as i000123, v000123 or s000123."""
        index = int(name[1:])
        if name.startswith("s"):
            return structures.structured(self.library, self.settings.seed, index, forced)
        if name.startswith("v"):
            return videos.video(self.library, self.settings.seed, index, forced)
        return recipe.image(self.library, self.clip, self.settings.seed, index, forced)

    def _viewers(self, name: str, choices: dict[str, str]) -> list[str]:
        """The viewers that see this file. A video is nothing for the viewers of pictures.

        A picture that only a profile or gamma makes visible is for all viewers, since few obey gamma."""
        if name[0] in "sv":
            return [each for each in self.settings.viewers if each in PLAYERS]
        hidden = any(each.startswith("treatment") and option != "whole" for each, option in choices.items())
        slow = hidden or int(name[1:]) % self.settings.slow_every == 0
        return [each for each in self.settings.viewers if slow and each in SLOW or each not in (*SLOW, *PLAYERS[2:])]

    def rows(
        self, names: list[str], forced: list[dict[str, str]] | None = None, viewers: list[str] | None = None
    ) -> list[Row]:
        """The results of these files, each with its forced choices."""
        made: list[Generated] = []
        paths: list[Path] = []
        for place, name in enumerate(names):
            made.append(self.generate(name, forced[place] if forced else None))
            paths.append(self.work / f"{place:03d}-{made[place].name}")
            paths[place].write_bytes(made[place].data)
        took: dict[str, float] = {}

        def timed(what: str, function: Any, *arguments: Any) -> Any:
            start = time.monotonic()
            result = function(*arguments)
            took[what] = took.get(what, 0) + time.monotonic() - start
            return result

        # Only the pattern has another verdict in test mode, and looking for it takes longer than judging.
        to_search = [path for file, path in zip(made, paths) if file.holds_pattern]
        in_test = timed("sca", judge.verdicts, self.settings.command, to_search, True)
        # Files about structures show the pattern or nothing, so their scores say nothing.
        to_score = [path for name, path in zip(names, paths) if not name.startswith("s")]
        outside = timed("sca", judge.verdicts, self.settings.command, to_score, False)
        rows = []
        for name, file, path in zip(names, made, paths):
            missing = {"verdict": "unknown", "score": None, "media": None, "code": "no answer", "message": ""}
            looks = {
                viewer: timed(viewer, self.workers[viewer].look, path, file.holds_pattern)
                for viewer in viewers or self._viewers(name, file.draw.choices)
            }
            judged = in_test.get(path.name, missing) if name.startswith("s") else outside.get(path.name, missing)
            row = {
                "name": name,
                "format": file.format,
                "bytes": len(file.data),
                "choices": file.draw.choices,
                "features": file.draw.features(),
                "test": in_test.get(path.name, missing) if file.holds_pattern else judged,
                "outside": judged,
                "viewers": looks,
            }
            timed("model", self._score, row)
            compare.compare(row)
            if row["failures"] and name.startswith("v"):
                self._look_closely(row, path)
                compare.compare(row)
            rows.append(row)
        for row in rows:
            row["seconds"] = {what: round(seconds / len(rows), 4) for what, seconds in took.items()}
        for path in self.work.iterdir():
            path.unlink()
        return rows

    def _score(self, row: Row) -> None:
        """Adds the model's highest score to each viewer's look, where a verdict can be compared with it."""
        self.scorer.begin()
        self.best = {}
        for viewer, look in row["viewers"].items():
            inputs = look.pop("inputs")
            labels = look.pop("labels")
            if not inputs or row["outside"]["verdict"] == "unknown" or row["name"].startswith("s"):
                continue
            values = np.load(inputs)
            scores = [self.scorer.score(each) for each in values]
            best = int(np.argmax(scores))
            self.best[viewer] = values[best]
            differences = [np.abs(each.astype(np.int16) - values[best]).mean() for each in values]
            alike = min(score for score, difference in zip(scores, differences) if difference < ALIKE)
            look |= {"score": round(scores[best], 4), "label": labels[best], "alike": round(alike, 4)}
            if int(values[best].max()) - int(values[best].min()) <= BLANK:
                look["blank"] = True
            ours = row["outside"]["score"] or 0
            if scores[best] - ours > compare.LARGEST_SHORTFALL:
                look["varied"] = round(min(self.scorer.score(each) for each in _varied(values[best])), 4)
                if explained.is_turned(row["choices"]):
                    ways = _turned(values[best])
                    nearest = min(ways, key=lambda each: abs(self.scorer.score(each) - ours))
                    tried = [nearest, *_varied(nearest)]
                    look["turned"] = round(min(abs(self.scorer.score(each) - ours) for each in tried), 4)

    def _look_closely(self, row: Row, path: Path) -> None:
        """Scores all frames of a video that look like those whose scores we fall short of."""
        viewers = [each["viewer"] for each in row["failures"] if each["kind"] == "score"]
        if not viewers:
            return
        try:
            inputs = [model_input(pixels) for _, pixels in ffmpeg.frames(str(path), clips.RATE, MOST_SCORED)]
        except (OSError, ValueError, subprocess.SubprocessError):
            return
        for viewer in viewers:
            best = self.best[viewer].astype(np.int16)
            for values in inputs:
                if np.abs(values.astype(np.int16) - best).mean() < ALIKE:
                    look = row["viewers"][viewer]
                    look["alike"] = min(look["alike"], round(self.scorer.exact(values), 4))

    def stop(self) -> None:
        for worker in self.workers.values():
            worker.stop()
