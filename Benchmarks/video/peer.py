# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The algorithm that opennsfw2 publishes for videos, written anew: OpenCV decodes every frame, one in eight is scored
with open_nsfw, and eight scores are averaged. Usage: peer.py MODEL VIDEO; prints the highest mean and the counts."""

import io
import json
import sys

import cv2
import numpy
import onnxruntime
from PIL import Image

INTERVAL = 8
WINDOW = 8


def tensor(frame):
    """The preprocessing of the model's authors, with their JPEG compression."""
    picture = Image.fromarray(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)).resize((256, 256), Image.BILINEAR)
    buffer = io.BytesIO()
    picture.save(buffer, format="JPEG")
    buffer.seek(0)
    pixels = numpy.array(Image.open(buffer), dtype=numpy.float32)[16:240, 16:240, ::-1]
    return (pixels - numpy.array([104, 117, 123], dtype=numpy.float32))[None]


def main():
    model, video = sys.argv[1:]
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    capture = cv2.VideoCapture(video)
    count, scores = 0, []
    while True:
        is_read, frame = capture.read()
        if not is_read:
            break
        if count % INTERVAL == 0:
            scores.append(float(session.run(None, {name: tensor(frame)})[0][0][1]))
        count += 1
    means = [sum(scores[start:start + WINDOW]) / len(scores[start:start + WINDOW])
             for start in range(0, len(scores), WINDOW)]
    print(json.dumps({"frames": count, "scored": len(scores), "highest": max(means, default=0)}))


main()
