# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`alpha/`: drawings that show on one background only."""

import numpy as np

from . import drawings, png


def make(write):
    """Writes the folder; `write(name, bytes)`."""
    size = (200, 150)
    drawing = drawings.shapes(7, size)
    cover = np.asarray(drawing.convert("L"))
    for name, paint in (("hidden-on-white.png", 255), ("hidden-on-black.png", 0)):
        write(name, png.write(np.dstack([np.full((*cover.shape, 3), paint, np.uint8), cover]), png.RGBA))
    opaque = np.full(cover.shape, 255, np.uint8)
    write("opaque.png", png.write(np.dstack([np.asarray(drawing), opaque]), png.RGBA))
