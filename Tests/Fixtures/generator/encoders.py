# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Runs the encoders that the fixtures need, each on one thread so that the result is the same everywhere."""

import subprocess
import tempfile
from pathlib import Path

from .isobmff import read_items

TOOLS = ("heif-enc", "heif-convert", "avifenc", "avifdec", "cjxl", "djxl")


def convert(image, suffix, *command, source=".png", **save):
    """Saves `image`, runs `command` on it and returns the bytes of what came out.

    `{in}` and `{out}` in the command stand for the two files.
    """
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "in" + source), Path(folder, "out" + suffix)
        if isinstance(image, bytes):
            before.write_bytes(image)
        else:
            image.save(before, **save)
        command = [{"{in}": str(before), "{out}": str(after)}.get(word, word) for word in command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return after.read_bytes()


def heic(image, quality=95, chroma="444"):
    """A HEIC file with one HEVC picture, by libheif and x265."""
    return convert(image, ".heic", "heif-enc", "-q", str(quality), "-p", f"chroma={chroma}",
                   "-p", "x265:pools=none", "-p", "x265:frame-threads=1", "{in}", "-o", "{out}")


def avif(image, quantizer=8, chroma="444", *options):
    """An AVIF file with one AV1 picture, by libavif and libaom."""
    return convert(image, ".avif", "avifenc", "-c", "aom", "-s", "4", "-y", chroma, "--min", str(max(0, quantizer - 4)),
                   "--max", str(quantizer), *options, "{in}", "{out}")


def jxl(image, *options, source=".png", **save):
    """A JPEG XL file by libjxl."""
    return convert(image, ".jxl", "cjxl", "{in}", "{out}", "--num_threads=0", *options, source=source, **save)


def heic_item(image, **options):
    """The coded picture and its properties out of a HEIC file."""
    return read_items(heic(image, **options))[1]


def avif_item(image, **options):
    """The coded picture and its properties out of an AVIF file."""
    return read_items(avif(image, **options))[1]
