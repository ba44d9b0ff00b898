# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The list of faults that scripts/plant-faults plants: what a record is, and whether the records still fit the tree."""

import hashlib
import re
import runpy
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class WrongList(Exception):
    """A record that does not fit the tree, or that shows nothing."""


@dataclass(frozen=True)
class UnitTest:
    """One test function, with all of its arguments."""

    # "Suite/function", as in the source; a raw name without the marks around it.
    name: str
    # How long it may take before it counts as a timeout.
    seconds: int = 300

    @property
    def filter(self):
        suite, function = self._parts
        # The module's separator excludes suites with the same ending.
        return rf"[./]{suite}/{re.escape(function)}[(]"

    def problem(self, root):
        suite, function = self._parts
        for file in sorted((root / "Tests").rglob("*.swift")):
            text = file.read_text()
            if re.search(rf"\b(?:struct|extension) {suite}\b", text) and f"func {function}(" in text:
                return None
        return f"there is no test {self.name} in Tests"

    @property
    def _parts(self):
        # A raw name is a sentence, and may have further strokes.
        suite, function = self.name.split("/", 1)
        return suite, function if function.isidentifier() else f"`{function}`"


@dataclass(frozen=True)
class Script:
    """A script of IntegrationTests."""

    name: str
    seconds: int = 1800

    def problem(self, root):
        path = root / "IntegrationTests" / self.name
        return None if path.is_file() else f"there is no script {self.name} in IntegrationTests"


@dataclass(frozen=True)
class Fault:
    """One change of the code that a test has to notice."""

    name: str
    # What goes wrong with the change, in one sentence.
    sentence: str
    file: str
    # This text, which the file has exactly once, gives way to the other.
    old: str
    new: str
    # The part of the gate that should find it.
    part: UnitTest | Script
    # Whether a part that does not end has found it, too.
    timeout_counts: bool = False

    @property
    def digest(self):
        return hashlib.sha256(repr(self).encode()).hexdigest()


def load(path):
    faults = runpy.run_path(str(path))["FAULTS"]
    names = [fault.name for fault in faults]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise WrongList(f"several faults are called {', '.join(twice)}: give each a name of its own.")
    return faults


def changed_text(fault, root):
    """The text of the file with the fault in it."""
    path = Path(root) / fault.file
    if not path.is_file():
        raise WrongList(f"{fault.name}: {fault.file} is missing: name the file in which the text is now.")
    text = path.read_text()
    first = text.find(fault.old)
    if not fault.old or fault.old == fault.new:
        raise WrongList(f"{fault.name}: the record changes nothing: name two texts that differ.")
    if first < 0:
        raise WrongList(f"{fault.name}: the text is not in {fault.file}: follow the change of the code.")
    # From the next character on, since texts may overlap.
    if text.find(fault.old, first + 1) >= 0:
        raise WrongList(f"{fault.name}: the text is in {fault.file} more than once: take more of what is around it.")
    return text[:first] + fault.new + text[first + len(fault.old):]


def check(faults, root):
    """Yields what is wrong with the records, which takes no build."""
    for fault in faults:
        try:
            changed_text(fault, root)
        except WrongList as wrong:
            yield str(wrong)
        problem = fault.part.problem(Path(root))
        if problem:
            yield f"{fault.name}: {problem}: name the part that should find the fault."


@contextmanager
def planted(fault, tree):
    """Has the fault in the tree meanwhile."""
    changed = changed_text(fault, tree)
    path = Path(tree) / fault.file
    original = path.read_bytes()
    path.write_text(changed)
    try:
        yield
    finally:
        # With a new time of change, by which the next build notices it.
        path.write_bytes(original)
