# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Writes the package that a tutorial builds: from_tutorial.py TUTORIAL FOLDER DEPENDENCY STATE

Files that the tutorial shows several times are taken in their state STATE, counted from 1, or in their last one. The
place of the dependency becomes the path DEPENDENCY. Prints the number of states.
"""

import re
import sys
from pathlib import Path

from from_readme import PLACE

CODE = re.compile(r'@Code\(name: "([^"]+)", file: "([^"]+)"\)')


def main():
    tutorial, folder, dependency, state = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    versions = {}
    for name, file in CODE.findall(tutorial.read_text(encoding="utf-8")):
        versions.setdefault(name, []).append(tutorial.parent / "Resources" / file)
    if {"Package.swift", "main.swift"} - versions.keys():
        sys.exit(f"{tutorial} shows no Package.swift or no main.swift")
    for name, files in versions.items():
        text = files[min(state, len(files)) - 1].read_text(encoding="utf-8")
        place = folder / "Sources/chat" / name
        if name == "Package.swift":
            text, count = PLACE.subn(rf'\1path: "{dependency}")', text)
            if count != 1:
                sys.exit(f"the manifest of {tutorial} names the package {count} times, not once")
            place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    print(max(len(files) for files in versions.values()))


if __name__ == "__main__":
    main()
