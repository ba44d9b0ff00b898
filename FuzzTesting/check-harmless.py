# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Looks at what a campaign of mutated files has judged not sensitive with other programs: Pillow and ffmpeg.

Where one of them still shows the test pattern, the verdict was wrong. Usage: check-harmless.py SEEDS RESULTS. The seeds
are looked at first: each must show the pattern, or nothing would follow from not seeing it. Each file is then looked at
once; a check that was interrupted goes on. FuzzTesting/run sets up what it needs."""

import select
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

TEXT = "sensitive-content-analysis:test:"
MOST_FRAMES = 60
SECONDS = 30
# What damaged media have done to a process goes with it.
MOST_FILES = 500


def shows_pattern(image):
    from pyzbar.pyzbar import ZBarSymbol, decode
    return any(code.data.decode(errors="replace").startswith(TEXT) for code in decode(image, [ZBarSymbol.QRCODE]))


def by_pillow(path):
    """Whether any picture of the file shows the pattern, over white or over black, in the program that many apps use."""
    from PIL import Image
    try:
        with Image.open(path) as image:
            for index in range(min(getattr(image, "n_frames", 1), MOST_FRAMES)):
                image.seek(index)
                frame = image.convert("RGBA")
                for background in ((255, 255, 255, 255), (0, 0, 0, 255)):
                    if shows_pattern(Image.alpha_composite(Image.new("RGBA", frame.size, background), frame).convert("L")):
                        return True
    except ImportError:
        raise
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


PROGRAMS = {"Pillow": by_pillow, "ffmpeg": by_ffmpeg}


def serve(program):
    """Looks at each file that is named on standard input, and says what was seen."""
    import pillow_heif
    import pillow_jxl  # noqa: F401
    pillow_heif.register_heif_opener()
    for line in sys.stdin:
        print("shown" if PROGRAMS[program](line.rstrip("\n")) else "nothing", flush=True)


class Looker:
    """A process that looks at files with one program, since damaged media may end it; it is started again then."""

    def __init__(self, program):
        self.program, self.process, self.count = program, None, 0

    def look(self, path):
        """Says `shown`, `nothing`, or what became of the process: `crashed` or `timeout`."""
        if self.process is None or self.count >= MOST_FILES:
            self.stop()
            self.process = subprocess.Popen(
                [sys.executable, __file__, "--serve", self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True)
        self.count += 1
        answer = ""
        try:
            self.process.stdin.write(f"{path}\n")
            self.process.stdin.flush()
            if not select.select([self.process.stdout], [], [], 3 * SECONDS)[0]:
                self.stop()
                return "timeout"
            answer = self.process.stdout.readline().strip()
        except BrokenPipeError:
            pass
        if answer not in ("shown", "nothing"):
            self.stop()
            return "crashed"
        return answer

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process, self.count = None, 0


def main():
    if sys.argv[1] == "--serve":
        return serve(sys.argv[2])
    seeds, results = Path(sys.argv[1]), Path(sys.argv[2])
    free = SimpleQueue()
    for _ in range(2):
        free.put({program: Looker(program) for program in PROGRAMS})

    def look(path):
        lookers = free.get()
        try:
            return path, {program: looker.look(path) for program, looker in lookers.items()}
        finally:
            free.put(lookers)

    with ThreadPoolExecutor(2) as executor:
        for path, seen in executor.map(look, sorted(seeds.iterdir())):
            if "shown" not in seen.values():
                sys.exit(f"{path}: neither program shows the pattern in the seed itself ({seen}).")
        done = results / "harmless.tsv"
        looked_at = {line.split("\t")[0] for line in done.read_text().splitlines()} if done.exists() else set()
        paths = [path for path in sorted((results / "kept").glob("notSensitive-*")) if path.name not in looked_at]
        print(f"{len(paths)} files to look at, {len(looked_at)} have been", flush=True)
        with done.open("a") as log:
            for count, (path, seen) in enumerate(executor.map(look, paths), 1):
                log.write("\t".join([path.name, *(seen[program] for program in PROGRAMS)]) + "\n")
                if "shown" in seen.values():
                    print(f"{path}: {seen}", flush=True)
                if count % 500 == 0:
                    print(f"{count} of {len(paths)}", flush=True)
    while not free.empty():
        for looker in free.get().values():
            looker.stop()
    lines = done.read_text().splitlines()
    wrong = sum("shown" in line.split("\t") for line in lines)
    print(f"{wrong} of {len(lines)} still show the pattern")
    sys.exit(1 if wrong else 0)


main()
