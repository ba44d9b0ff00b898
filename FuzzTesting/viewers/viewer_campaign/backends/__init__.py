# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The viewers: each turns a file into frames, labelled arrays of RGB pixels."""

from collections.abc import Callable, Iterator

import numpy as np

MOST_PIXELS = 40_000_000
MOST_FRAMES = 16
Frames = Iterator[tuple[str, np.ndarray]]
Viewer = Callable[[str], Frames]
