# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Which libraries parse media, and so belong into decoders only.

python3 parsers.py PROGRAM prints those that a program links, one a line.
"""

import re
import subprocess
import sys
from pathlib import Path

# libvips, FFmpeg, and everything of theirs that reads pictures, pages, vector drawings or codes; PipeWire's library,
# which loads modules and opens connections.
PARSERS = re.compile(
    r"^lib(vips|av(codec|device|filter|format|util)|sw(scale|resample)|(turbo)?jpeg|s?png|heif|de265|x26[45]|aom|dav1d"
    r"|rav1e|SvtAv1|webp|sharpyuv|tiff|jxl|brotli|zbar|Magick|GraphicsMagick|gif|openjp2|openslide|poppler|rsvg|cairo"
    r"|gdk_pixbuf|exif|lcms|raw|OpenEXR|IlmImf|cfitsio|matio|imagequant|cgif|niftiio|pipewire)")


def parsers(paths):
    """The names of those of the files that are parsers."""
    return sorted(name for name in {Path(path).name for path in paths} if PARSERS.match(name))


def linked_libraries(program):
    """The names of the libraries that a program links, with those that they link."""
    output = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in output.splitlines()]


if __name__ == "__main__":
    print(*parsers(linked_libraries(sys.argv[1])), sep="\n")
