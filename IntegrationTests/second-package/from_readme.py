# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Writes the package that a README describes: from_readme.py README FOLDER DEPENDENCY

The first block of Swift that has a tools version is the manifest, the next one that imports the module is the program.
Both are taken as they are, but for the place of the dependency, which becomes the path DEPENDENCY. Prints the name of
the executable target.
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The place of the package: a path, or a URL with a version of any form.
PLACE = re.compile(r"(\.package\(\s*(?:name:\s*\"[^\"]*\",\s*)?)"
                   r"(?:path|url):\s*\"[^\"]*sensitive-content-analysis(?:\.git)?/?\"(?:[^()\[]|\([^()]*\))*?"
                   r"(\s*,\s*traits:\s*\[[^\]]*\])?\s*\)")
EXECUTABLE = re.compile(r"\.executableTarget\(\s*name:\s*\"([^\"]+)\"")


def main():
    readme, folder, dependency = sys.argv[1:]
    blocks = iter(BLOCK.findall(Path(readme).read_text(encoding="utf-8")))
    manifest = next((block for block in blocks if "// swift-tools-version" in block), None)
    program = next((block for block in blocks if "import SensitiveContentAnalysis" in block), None)
    if manifest is None or program is None:
        missing = "a swift-tools-version" if manifest is None else "import SensitiveContentAnalysis behind the manifest"
        sys.exit(f"{readme} has no ```swift block with {missing}")
    manifest, places = PLACE.subn(rf'\1path: "{dependency}"\2)', manifest)
    if places != 1:
        sys.exit(f"the manifest in {readme} names the package sensitive-content-analysis {places} times, not once")
    executable = EXECUTABLE.search(manifest)
    if not executable:
        sys.exit(f"the manifest in {readme} has no .executableTarget(name: ...)")

    # A file called main.swift cannot hold a type marked as @main.
    file = "App.swift" if re.search(r"^\s*@main\b", program, re.MULTILINE) else "main.swift"
    sources = Path(folder, "Sources", executable[1])
    sources.mkdir(parents=True)
    # The tools version counts only on the first line.
    Path(folder, "Package.swift").write_text(manifest.lstrip())
    (sources / file).write_text(program)
    print(executable[1])


if __name__ == "__main__":
    main()
