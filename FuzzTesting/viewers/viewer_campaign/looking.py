# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What a viewer's pixels show: the test pattern, and the model's input for a score."""

import cv2
import numpy as np
from PIL import Image
from pyzbar.pyzbar import ZBarSymbol, decode

TEXT = "sensitive-content-analysis:test:"
STRETCHED, SIDE = 256, 224
# Frames whose inputs differ by less than this in the mean have the same score.
SAME = 1.0
LEAST_CONTRAST = 24


def _reads(grey: np.ndarray) -> bool:
    return any(code.data.decode(errors="replace").startswith(TEXT) for code in decode(grey, [ZBarSymbol.QRCODE]))


def _stretched(grey: np.ndarray) -> np.ndarray:
    """The picture with its darkest and lightest levels at 0 and 255."""
    low, high = np.percentile(grey, (2, 98))
    if high <= low:
        low, high = float(grey.min()), float(grey.max())
    return np.clip((grey.astype(np.float32) - low) * (255 / max(1.0, high - low)), 0, 255).astype(np.uint8)


def _scaled(grey: np.ndarray, longest: int) -> np.ndarray:
    factor = longest / max(grey.shape)
    size = (max(1, round(grey.shape[1] * factor)), max(1, round(grey.shape[0] * factor)))
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)


def shows_pattern(pixels: np.ndarray) -> bool:
    """Whether a person would see the test pattern in these pixels (height x width x 3).

    A picture whose levels differ by less than LEAST_CONTRAST counts as blank; any other has its contrast stretched."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    if int(grey.max()) - int(grey.min()) < LEAST_CONTRAST:
        return False
    longest = max(grey.shape)
    sizes = [400, 800] if longest > 800 else ([longest, 400] if longest < 300 or longest > 500 else [longest])
    for size in sizes:
        view = _stretched(grey if size == longest else _scaled(grey, size))
        for each in (view, 255 - view):
            if _reads(each):
                return True
    view = cv2.GaussianBlur(_stretched(_scaled(grey, 600)), (5, 5), 0)
    if _reads(view):
        return True
    try:
        return cv2.QRCodeDetector().detectAndDecode(view)[0].startswith(TEXT)
    except cv2.error:
        return False


def model_input(pixels: np.ndarray) -> np.ndarray:
    """The picture as the model sees it: 224 x 224 x 3, prepared as in IntegrationTests/conformance."""
    margin = (STRETCHED - SIDE) // 2
    image = Image.fromarray(pixels).resize((STRETCHED, STRETCHED), Image.Resampling.BILINEAR)
    return np.asarray(image)[margin : margin + SIDE, margin : margin + SIDE]


class Look:
    """The sum of all frames that one viewer shows of one file."""

    def __init__(self, holds_pattern: bool = True) -> None:
        self.holds_pattern = holds_pattern
        self.frames = 0
        self.shown: list[str] = []
        self.inputs: list[tuple[str, np.ndarray]] = []

    def add(self, label: str, pixels: np.ndarray) -> None:
        """Takes a frame; `label` says which it is."""
        if pixels.size == 0:
            return
        self.frames += 1
        if min(pixels.shape[:2]) < 2:
            return
        values = model_input(pixels)
        if any(np.abs(values.astype(np.int16) - other).mean() < SAME / 4 for _, other in self.inputs):
            return
        if self.holds_pattern and shows_pattern(pixels):
            self.shown.append(label)
        self.inputs.append((label, values))

    def distinct(self) -> list[tuple[str, np.ndarray]]:
        """The frames that may have different scores."""
        kept: list[tuple[str, np.ndarray]] = []
        for label, values in self.inputs:
            if all(np.abs(values.astype(np.int16) - other).mean() >= SAME for _, other in kept):
                kept.append((label, values))
        return kept
