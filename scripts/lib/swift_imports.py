# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Finds the imports of a Swift file by reading its text; no toolchain is needed."""

import re

# Comments and strings, which may hold the word without being an import. Alternatives in order of precedence;
# a raw string ends at its own number of number signs.
NOT_CODE = re.compile(
    r'(?P<hashes>#*)"""(?:.|\n)*?"""(?P=hashes)'
    r'|(?P<hash>#*)"(?:\\.|[^"\\\n])*"(?P=hash)'
    r"|//[^\n]*"
    r"|/\*(?:.|\n)*?\*/"
)
IMPORT = re.compile(
    r"(?:^|;)[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor|macro)\s+)?`?(\w+)",
    re.MULTILINE,
)


def imports(text):
    """Yields (line number, module) of each import, conditional ones included."""
    # Line breaks are kept, so that line numbers stay right.
    code = NOT_CODE.sub(lambda match: '""' + "\n" * match.group().count("\n"), text)
    for match in IMPORT.finditer(code):
        yield code.count("\n", 0, match.start(1)) + 1, match.group(1)
