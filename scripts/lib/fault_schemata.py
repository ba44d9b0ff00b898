# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Plants many faults into Swift sources at once; an environment variable chooses the one that takes effect."""

import itertools
import re
from dataclasses import dataclass

# The function that says whether a fault takes effect. The number 0 is no fault.
FUNCTION = """
import Foundation
package let plantedFault = Int(ProcessInfo.processInfo.environment["STREAM_FAULT"] ?? "0")!
@inline(never) package func fault(_ number: Int) -> Bool { plantedFault == number }
package func swapped<Each>(_ number: Int, _ usual: Each, _ other: Each) -> Each { fault(number) ? other : usual }
"""

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
COMPARISON = re.compile(r" (<=|>=|==|!=|<|>) ")
# A statement of a line that can be left out without an error of the compiler.
STATEMENT = re.compile(r"^(?!let |var |return|guard|if |for |while|switch|case |default|defer|func |package |private |mutating "
                       r"|struct |enum |extension |init|static |self\.|@|[{}]|\.|//|import |internal |typealias )"
                       r"[\w\[\]!?.]+(\[[^\]]*\]!?)?[\w.]*( [-+]?= .+[^{(,\[:?&|]$|\(.*\)( \{.*\})?$)")


@dataclass(frozen=True)
class Fault:
    number: int
    # The place and the change: "File.swift: line -> change". Equal lines are counted.
    name: str


def clauses(text):
    """Splits a condition at its commas, but not inside brackets; yields the places of the clauses."""
    start = depth = 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            yield start, place
            start = place + 1
    yield start, len(text)


class Planter:
    """The sources with all faults planted so far."""

    def __init__(self):
        self.faults = []
        self.needed = set()

    def add(self, where, change):
        name, names = f"{where} -> {change}", {fault.name for fault in self.faults}
        count = next(count for count in itertools.count(1) if self.counted(name, count) not in names)
        self.faults.append(Fault(len(self.faults) + 1, self.counted(name, count)))
        return len(self.faults)

    @staticmethod
    def counted(name, count):
        return name if count == 1 else f"{name} ({count})"

    def condition(self, text, where):
        """Plants faults into each clause of a condition that binds nothing."""
        parts = []
        for start, end in clauses(text):
            clause = text[start:end]
            bare = clause.strip()
            if re.match(r"(let|var|case) ", bare) or not bare or bare.count("(") != bare.count(")"):
                parts.append(clause)
                continue
            planted = f"fault({self.add(where, f'always {bare}')}) || (!fault({self.add(where, f'never {bare}')}) && ({bare}))"
            found = COMPARISON.findall(bare)
            if len(found) == 1 and "&&" not in bare and "||" not in bare and found[0] not in ("==", "!="):
                other = bare.replace(f" {found[0]} ", f" {COMPARISONS[found[0]]} ")
                number = self.add(where, other)
                planted = planted.replace(f"({bare}))", f"(fault({number}) ? {other} : {bare}))")
            parts.append(clause.replace(bare, f"({planted})"))
        return ",".join(parts)

    def line(self, line, file):
        bare = line.strip()
        where = f"{file}: {bare}"
        if bare.startswith("//"):
            return line
        match = re.match(r"^(\s*(?:guard|if|\} else if) )(.+?)( else \{| \{)(.*)$", line)
        if match and " in " not in match[2] and "{ $0" not in match[2]:
            return match[1] + self.condition(match[2], where) + match[3] + match[4]
        # A condition that is returned.
        match = re.match(r"^(\s*return )([^{]*(?: [<>]=? | && | \|\| |==|!=)[^{?]*)$", line)
        if match and match[2].count("(") == match[2].count(")"):
            return match[1] + self.condition(match[2], where)
        # What returns a value by itself cannot be left out.
        if STATEMENT.match(bare) and (" = " in bare or " ?? " not in bare) and ".isLike(" not in bare \
                and bare.split(" = ")[0] not in self.needed:
            number = self.add(where, "left out")
            indent = line[:len(line) - len(line.lstrip())]
            return f"{indent}if !fault({number}) {{ {self.swaps(bare, where)} }}"
        return self.swaps(line, where)

    def swaps(self, line, where):
        """Exchanges the least and the largest."""
        for one, other in (("min", "max"), ("max", "min")):
            if re.search(rf"(?<![\w.]){one}\(", line):
                number = self.add(where, f"{other} instead of {one}")
                return re.sub(rf"(?<![\w.]){one}\(", f"swapped({number}, {one}, {other})(", line, count=1)
        return line

    def plant(self, text, file):
        # A variable without a first value needs each of its assignments.
        self.needed = {name.strip() for names in re.findall(r"^ {8,}(?:var|let) \(?([\w, ]+)\)?: [^={\n]+$", text, re.M)
                       for name in names.split(",")}
        return "\n".join(self.line(line, file) for line in text.split("\n"))
