# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The process of Qt: reads paths on standard input, and writes frames as foreign.py reads them."""

import json
import os
import sys

from PyQt5.QtGui import QGuiApplication, QImage, QImageReader

MOST_FRAMES, MOST_PIXELS = 12, 40_000_000
# Libraries may write to standard output, so answers have a descriptor of their own.
out = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
application = QGuiApplication(["viewer"])


def write(label: str, image: QImage) -> None:
    """Writes one frame."""
    channels, kind = (4, QImage.Format_RGBA8888) if image.hasAlphaChannel() else (3, QImage.Format_RGB888)
    image = image.convertToFormat(kind)
    data = image.constBits().asstring(image.sizeInBytes())
    out.write(
        json.dumps(
            {
                "label": label,
                "width": image.width(),
                "height": image.height(),
                "row": image.bytesPerLine(),
                "channels": channels,
                "bytes": len(data),
            }
        ).encode()
        + b"\n"
        + data
    )


def show(path: str) -> str:
    """Writes the first frames, or returns what is wrong."""
    reader = QImageReader(path)
    reader.setAutoTransform(True)
    reader.setDecideFormatFromContent(True)
    for number in range(MOST_FRAMES):
        image = reader.read()
        if image.isNull():
            return "" if number else reader.errorString() or "error"
        if image.width() * image.height() <= MOST_PIXELS:
            write(str(number), image)
        # A reader at its end would begin anew.
        if number + 1 >= max(1, reader.imageCount()) and reader.imageCount() > 0 or not reader.canRead():
            return ""
    return ""


for line in sys.stdin:
    problem = show(line.rstrip("\n"))
    out.write(json.dumps({"end": problem[:200]}).encode() + b"\n")
    out.flush()
