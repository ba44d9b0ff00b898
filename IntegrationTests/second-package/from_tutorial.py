# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Writes the package that a tutorial builds: from_tutorial.py TUTORIAL FOLDER DEPENDENCY STATE

The package is as it stands when a reader has done what the first STATE of its codes show, so that a step which uses what
only a later one brings does not build. The place of the dependency becomes the path DEPENDENCY. Prints the number of the
first state that is a program, and that of the last.
"""

import re
import sys
from pathlib import Path

from from_readme import PLACE

CODE = re.compile(r'@Code\(name: "([^"]+)", file: "([^"]+)"\)')


def main():
    tutorial, folder, dependency, state = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    codes = CODE.findall(tutorial.read_text(encoding="utf-8"))
    names = [name for name, _ in codes]
    for name in ("Package.swift", "Sources/chat/main.swift"):
        if name not in names:
            sys.exit(f"{tutorial} shows no {name}")
    for name, file in codes[:state]:
        text = (tutorial.parent / "Resources" / file).read_text(encoding="utf-8")
        if name == "Package.swift":
            text, count = PLACE.subn(rf'\1path: "{dependency}"\2)', text)
            if count != 1:
                sys.exit(f"the manifest of {tutorial} names the package {count} times, not once")
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    print(names.index("Sources/chat/main.swift") + 1, len(codes))


if __name__ == "__main__":
    main()
