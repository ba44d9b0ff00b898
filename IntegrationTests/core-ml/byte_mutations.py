# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Random damage to the bytes of a file."""

KINDS = ["flip", "set", "remove", "repeat", "fill", "exchange", "cut"]
SHARES = [0.35, 0.2, 0.1, 0.1, 0.1, 0.1, 0.05]


def damaged(content, random):
    """Returns changed bytes, and what was changed."""
    content, changes = bytearray(content), []
    for _ in range(random.choice([1, 1, 2, 4])):
        kind, start = random.choice(KINDS, p=SHARES), int(random.integers(0, len(content)))
        change(content, kind, start, random)
        changes.append(f"{kind} {start}")
    return bytes(content), ", ".join(changes)


def change(content, kind, start, random):
    """Changes some bytes from a place on; at least one byte is left."""
    length, other = int(random.integers(1, 40)), int(random.integers(0, len(content)))
    if kind == "flip":
        content[start] ^= 1 << int(random.integers(0, 8))
    elif kind == "set":
        content[start] = random.choice([0, 1, 2, 0x7F, 0x80, 0xFF])
    elif kind == "remove" and len(content) > length:
        del content[start:start + length]
    elif kind == "repeat":
        content[other:other] = content[start:start + length]
    elif kind == "fill":
        content[start:start + length] = random.bytes(len(content[start:start + length]))
    elif kind == "exchange":
        first, second = sorted([start, other])
        length = min(length, second - first, len(content) - second)
        part = content[first:first + length]
        content[first:first + length] = content[second:second + length]
        content[second:second + length] = part
    elif kind == "cut":
        del content[max(1, len(content) - length):]
