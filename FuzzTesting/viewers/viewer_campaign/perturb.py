# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Single bytes of a generated file, changed as the index of the file says."""

from .draw import Draw

SHARE = 0.15
HEAD = 512


def perturbed(draw: Draw, data: bytes, share: float = SHARE) -> bytes:
    """The file, in some cases with one to three bytes changed, more often near its start."""
    kind = draw.choose(
        "perturbed",
        ("no", "bit near the start", "byte near the start", "byte anywhere", "three bytes anywhere"),
        1 - share,
    )
    if kind == "no" or not data:
        return data
    source, changed = draw.source("perturbed bytes"), bytearray(data)
    for _ in range(3 if kind.startswith("three") else 1):
        place = source.randrange(min(HEAD, len(data)) if kind.endswith("start") else len(data))
        changed[place] = changed[place] ^ 1 << source.randrange(8) if kind.startswith("bit") else source.randrange(256)
    return bytes(changed)
