# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Checks that known classifiers have a map of places whose mean has their score: check_maps.py SCA FOLDER

The model's process drops the map of each picture whose mean has another score by more than 1e-4. So a map in an
explanation shows that they agree."""

import hashlib
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib

import numpy as np

from architectures import ARCHITECTURES
from check_architectures import pictures
from onnx_twin import ONNXTwin

# The highest label of a random network differs between pictures; the score of each of these is some thousandths.
COLUMNS = (3, 500)


class EfficientNet:
    """EfficientNet-B0. Source: Keras 2, keras/applications/efficientnet.py."""

    side = 224

    def __init__(self):
        self.random, self.twin, self.count = np.random.default_rng(5), ONNXTwin(self.side), 0
        result = self.swish(self.convolution("image", 3, 32, 3, 2))
        channels = 32
        for kernel, repeats, count, expansion, stride in [
            (3, 1, 16, 1, 1), (3, 2, 24, 6, 2), (5, 2, 40, 6, 2), (3, 3, 80, 6, 2), (5, 3, 112, 6, 1), (5, 4, 192, 6, 2),
            (3, 1, 320, 6, 1),
        ]:
            for number in range(repeats):
                result = self.block(result, channels, count, kernel, stride if number == 0 else 1, expansion)
                channels = count
        result = self.swish(self.convolution(result, channels, 1280, 1))
        self.twin.global_average("mean", result)
        self.twin.product("sums", "mean", self.weights(1000, 1280), np.zeros(1000))
        self.twin.finish("sums", 1000)

    def weights(self, *shape):
        return self.random.normal(0, (2 / np.prod(shape[1:])) ** 0.5, shape)

    def name(self):
        self.count += 1
        return f"layer{self.count}"

    def convolution(self, source, channels, count, kernel, stride=1, groups=1):
        name = self.name()
        self.twin.convolution(name, source, self.weights(count, channels // groups, kernel, kernel), None, stride, "same", groups)
        numbers = [self.random.uniform(*bounds, count) for bounds in ((0.75, 1.25), (-0.25, 0.25), (-0.25, 0.25), (0.75, 1.25))]
        self.twin.batch_normalization(f"{name}-normal", name, *numbers, 1e-3)
        return f"{name}-normal"

    def swish(self, source):
        name = self.name()
        self.twin.node("Sigmoid", [source], f"{name}-gate")
        self.twin.node("Mul", [source, f"{name}-gate"], name)
        return name

    def block(self, source, channels, count, kernel, stride, expansion):
        wide = channels * expansion
        result = self.swish(self.convolution(source, channels, wide, 1)) if expansion > 1 else source
        result = self.swish(self.convolution(result, wide, wide, kernel, stride, wide))
        # Squeeze and excitation, whose mean over all places is not that of the network's end.
        name, narrow = self.name(), max(1, channels // 4)
        self.twin.global_average(f"{name}-mean", result)
        self.twin.convolution(f"{name}-narrow", f"{name}-mean", self.weights(narrow, wide, 1, 1), None, 1, 0, 1)
        self.twin.convolution(f"{name}-wide", self.swish(f"{name}-narrow"), self.weights(wide, narrow, 1, 1), None, 1, 0, 1)
        self.twin.node("Sigmoid", [f"{name}-wide"], f"{name}-gate")
        self.twin.node("Mul", [result, f"{name}-gate"], name)
        result = self.convolution(name, wide, count, 1)
        if stride > 1 or channels != count:
            return result
        total = self.name()
        self.twin.total(total, source, result)
        return total


def write_png(path, pixels):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_model(folder, name, side, content):
    folder.mkdir()
    (folder / "model.onnx").write_bytes(content)
    thresholds = {"simple": 0.7, "descriptive": 0.4, "strong": 0.9}
    (folder / "manifest.json").write_text(json.dumps({
        "schema": 1, "name": name, "version": "1", "description": "Random weights.", "file": "model.onnx",
        "sha256": hashlib.sha256(content).hexdigest(), "byteCount": len(content),
        "input": {
            "name": "image", "width": side, "height": side, "layout": "NCHW", "channelOrder": "RGB",
            "mean": [127.5, 127.5, 127.5], "scale": [1 / 127.5] * 3,
            "resize": {"mode": "stretch", "width": side, "height": side, "filter": "bilinear", "crop": "center"}},
        "outputs": [{"name": "probabilities", "column": column, "contentType": kind, "thresholds": thresholds}
                    for column, kind in zip(COLUMNS, ("sexuallyExplicit", "goreOrViolence"))],
        "innerPictures": {"warmth": 0, "count": 4}, "licence": "Apache-2.0", "source": "check_maps.py", "knownFailures": []}))


def main():
    sca, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
    nets = {name: make() for name, make in ARCHITECTURES.items()}
    contents = {name: (net.side, net.onnx.content) for name, net in nets.items()}
    contents["EfficientNet-B0"] = (EfficientNet.side, EfficientNet().twin.content)
    files = []
    for index, picture in enumerate(pictures(300)):
        files.append(folder / f"{index}.png")
        write_png(files[-1], picture)
    failed = False
    for title, (side, content) in contents.items():
        name = re.sub(r"[^a-z0-9]+", "-", title.lower())
        write_model(folder / name, name, side, content)
        added = subprocess.run([sca, "model", "add", folder / name], env=environment, capture_output=True, text=True, check=False)
        if added.returncode != 0:
            sys.exit(f"{title}: {added.stdout}{added.stderr}")
        target = folder / f"{name}-explanations"
        subprocess.run([sca, "analyze", "--model", name, "--explain", target, "-q", "--", *files], env=environment, check=False)
        counts = [file.read_text().count('text-anchor="middle"') for file in target.glob("*.svg")]
        print(f"{title}: {len(counts)} of {len(files)} pictures have a map, of {sorted(set(counts))} places")
        failed = failed or len(counts) != len(files) or min(counts) < 49
    sys.exit(1 if failed else 0)


main()
