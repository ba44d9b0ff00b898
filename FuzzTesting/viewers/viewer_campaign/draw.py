# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Named choices of the grammar. The same seed, index and name always give the same choice."""

import random
from collections.abc import Mapping, Sequence

# Options that are no features.
PLAIN = ("no", "none", "usual", "right", "nothing", "as encoded")
# Codecs of one container only, which are counted together.
RARE = ("prores", "rawvideo", "ffv1", "flv1")


class Draw:
    """The choices of one file.

    Each choice has a name and a random source of its own. So a choice that is forced to another value changes no
    other choice, and a failure can be reduced choice by choice."""

    def __init__(self, seed: int, index: int, forced: Mapping[str, str] | None = None) -> None:
        self.seed, self.index = seed, index
        self.forced = dict(forced or {})
        # The option of each choice, and the first, plain option of it.
        self.choices: dict[str, str] = {}
        self.plain: dict[str, str] = {}

    def source(self, name: str) -> random.Random:
        """The random source of one name."""
        return random.Random(f"{self.seed}/{self.index}/{name}")

    def choose(self, name: str, options: Sequence[str], plain: float | None = None) -> str:
        """One of the options, and `options[0]` with the probability `plain`; without it, all are equally likely."""
        if name in self.choices and self.choices[name] in options:
            return self.choices[name]
        source = self.source(name)
        if self.forced.get(name) in options:
            option = self.forced[name]
        elif plain is None or len(options) == 1:
            option = options[source.randrange(len(options))]
        elif source.random() < plain:
            option = options[0]
        else:
            option = options[1 + source.randrange(len(options) - 1)]
        self.choices[name] = option
        self.plain[name] = options[0]
        return option

    def flag(self, name: str, share: float) -> bool:
        """Whether a feature is used."""
        return self.choose(name, ("no", "yes"), 1 - share) == "yes"

    def number(self, name: str, low: int, high: int) -> int:
        """A number of the range, both ends included. Numbers are no features."""
        return self.source(name).randint(low, high)

    def grouped(self, name: str, groups: Mapping[str, Sequence[str]], plain: float | None = None) -> str:
        """An option of a group; the group is the feature."""
        options = groups[self.choose(name, tuple(groups), plain)]
        return options[0] if len(options) == 1 else self.choose(f"{name}, kind", options)

    def features(self) -> list[str]:
        """The features that this file uses, under the names by which they are counted."""
        counted = []
        for name, option in self.choices.items():
            if option in PLAIN or name.endswith(", kind"):
                continue
            if name.startswith("codec in "):
                name, option = "codec", "rare" if option in RARE else option
            counted.append(f"{'treatment' if name.startswith('treatment for ') else name}: {option}")
        return counted

    def counted(self, name: str, groups: dict[str, tuple[int, ...]], plain: float | None = None) -> int:
        """A number of a group; the group is the feature, for example the numbers around a bound."""
        numbers = groups[self.choose(name, tuple(groups), plain)]
        return numbers[self.source(f"{name}, which").randrange(len(numbers))]
