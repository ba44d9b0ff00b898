# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Looks at what a campaign of mutated files has judged not sensitive with other programs: Pillow and ffmpeg.

Where one of them still shows the test pattern, the verdict was wrong. Usage: check-harmless.py RESULTS. Each file is
looked at once, in a process of its own; a check that was interrupted goes on. FuzzTesting/run sets up what it needs."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TEXT = "sensitive-content-analysis:test:"
MOST_FRAMES = 60
SECONDS = 30


def shows_pattern(image):
    from pyzbar.pyzbar import ZBarSymbol, decode
    return any(code.data.decode(errors="replace").startswith(TEXT) for code in decode(image, [ZBarSymbol.QRCODE]))


def by_pillow(path):
    """Whether any picture of the file shows the pattern, over white or over black, in the program that many apps use."""
    import pillow_heif
    import pillow_jxl  # noqa: F401
    from PIL import Image
    pillow_heif.register_heif_opener()
    try:
        with Image.open(path) as image:
            for index in range(min(getattr(image, "n_frames", 1), MOST_FRAMES)):
                image.seek(index)
                frame = image.convert("RGBA")
                for background in ((255, 255, 255, 255), (0, 0, 0, 255)):
                    if shows_pattern(Image.alpha_composite(Image.new("RGBA", frame.size, background), frame).convert("L")):
                        return True
    except Exception:  # noqa: BLE001 - whatever a plug-in makes of damaged data
        pass
    return False


def by_ffmpeg(path):
    """Whether any frame shows the pattern."""
    from PIL import Image
    try:
        frames = subprocess.run(
            ["ffmpeg", "-v", "quiet", "-nostdin", "-i", path, "-frames:v", str(MOST_FRAMES), "-vsync", "0", "-pix_fmt", "gray",
             "-c:v", "pgm", "-f", "image2pipe", "-"], stdout=subprocess.PIPE, timeout=SECONDS, check=False).stdout
    except subprocess.TimeoutExpired as expired:
        frames = expired.stdout or b""
    # Each a header of three lines, "P5", width and height, 255, and the pixels.
    while frames.startswith(b"P5\n"):
        _, size, _, rest = frames.split(b"\n", 3)
        width, height = map(int, size.split())
        if len(rest) < width * height:
            break
        if shows_pattern(Image.frombytes("L", (width, height), rest[:width * height])):
            return True
        frames = rest[width * height:]
    return False


def look(path):
    """In a process of its own, since damaged media may end it."""
    try:
        found = subprocess.run([sys.executable, __file__, "--one", path], capture_output=True, text=True,
                               timeout=3 * SECONDS, check=False).stdout.split()
    except subprocess.TimeoutExpired:
        found = []
    return path, found


def main():
    if sys.argv[1] == "--one":
        print(*(name for name, check in (("Pillow", by_pillow), ("ffmpeg", by_ffmpeg)) if check(sys.argv[2])))
        return
    results = Path(sys.argv[1])
    done = results / "harmless.tsv"
    looked_at = {line.split("\t")[0] for line in done.read_text().splitlines()} if done.exists() else set()
    paths = sorted(str(path) for path in (results / "kept").glob("notSensitive-*") if path.name not in looked_at)
    print(f"{len(paths)} files to look at, {len(looked_at)} have been", flush=True)
    with done.open("a") as log, ThreadPoolExecutor(2) as executor:
        for count, (path, found) in enumerate(executor.map(look, paths), 1):
            log.write(f"{Path(path).name}\t{','.join(found)}\n")
            if found:
                print(f"{path}: {' and '.join(found)} show the pattern", flush=True)
            if count % 500 == 0:
                print(f"{count} of {len(paths)}", flush=True)
    wrong = [line for line in done.read_text().splitlines() if line.split("\t")[1]]
    print(f"{len(wrong)} of {len(done.read_text().splitlines())} still show the pattern")
    sys.exit(1 if wrong else 0)


main()
