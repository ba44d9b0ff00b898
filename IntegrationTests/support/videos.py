# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Videos for tests, made with the ffmpeg program: harmless scenes, with the test pattern laid over a part of them."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from support.reporting import Failed, Skipped

RATE = 30
PHOTOGRAPHS = [Path("/usr/share/backgrounds/mate"), Path("/usr/share/backgrounds/gnome")]
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def require_ffmpeg():
    """Skips the test where the program is missing."""
    if shutil.which("ffmpeg") is None:
        raise Skipped("the program ffmpeg is missing: run scripts/bootstrap --for test")


def photographs():
    """The photographs that the demonstration installs, in a fixed order."""
    found = sorted(path for folder in PHOTOGRAPHS if folder.is_dir() for path in folder.rglob("*.jpg"))
    if len(found) < 8:
        raise Failed("there are no photographs: run scripts/bootstrap --for test")
    return found


def ffmpeg(*arguments, seconds=300):
    """Runs ffmpeg quietly; True where it succeeded. Some encoders hang where a container refuses them."""
    command = ["timeout", "-k", "5", str(seconds), "ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)]
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def must(*arguments, **options):
    """Runs ffmpeg, whose last argument is the file to make; of what fails nothing is left to be taken for whole."""
    if not ffmpeg(*arguments, **options):
        Path(arguments[-1]).unlink(missing_ok=True)
        raise Failed(f"ffmpeg failed: {' '.join(map(str, arguments))}")


@dataclass(frozen=True)
class Insertion:
    """When the test pattern is shown, in seconds; an opacity below 1 lays it over the scene faintly."""

    start: float
    length: float = 0.5
    opacity: float = 1


def scene(folder, name, seconds, size=(320, 180)):
    """A lossless video of a scene: pan, cuts, screen, shake."""
    path = folder / f"scene-{name}-{seconds}-{size[0]}.mkv"
    if path.exists():
        return path
    width, height = size
    pictures = photographs()
    lossless = ("-r", RATE, "-t", seconds, "-pix_fmt", "yuv420p", "-c:v", "ffv1")
    if name == "pan":
        must("-i", pictures[0], "-vf",
             f"{still(width * 3)},crop={width}:{height}:x='min(t*8,iw-ow)':y='min(t*4,ih-oh)'", *lossless, path)
    elif name == "cuts":
        cut(folder, pictures, seconds, size, lossless, path)
    elif name == "screen":
        # Text that is typed, line by line, and a clock: little changes, often.
        text = "drawtext=fontfile=%s:text='%%{n}  a line of text that is typed':fontsize=%d:x=5:y=%d+mod(floor(n/15)*%d\\,%d)"
        clock = "drawtext=fontfile=%s:text='%%{pts\\:hms}':fontsize=%d:x=%d:y=5"
        line = height // 11
        filters = ",".join((text % (FONT, line - 2, line, line, line * 9), clock % (FONT, line - 4, width * 2 // 3)))
        must("-f", "lavfi", "-i", f"color=white:s={width}x{height}:r={RATE}:d={seconds}", "-vf", filters, *lossless, path)
    elif name == "shake":
        scale = width / 320
        x = f"{200 * scale}+{12 * scale}*sin(n*0.7)+{9 * scale}*sin(n*1.9)"
        y = f"{150 * scale}+{10 * scale}*sin(n*0.9)+{7 * scale}*cos(n*2.3)"
        must("-i", pictures[1], "-vf",
             f"{still(width * 3)},crop={width}:{height}:x='{x}':y='{y}',noise=alls=18:allf=t", *lossless, path, seconds=900)
    else:
        raise Failed(f"there is no scene {name}")
    return path


def still(width):
    """The filter that shows a picture for ever, and reduces it once only."""
    return f"scale={width}:-2,loop=loop=-1:size=1,setpts=N/{RATE}/TB"


def cut(folder, pictures, seconds, size, lossless, path):
    """Another photograph every 0.6 seconds."""
    width, height = size
    stills = folder / f"stills-{width}"
    stills.mkdir(exist_ok=True)
    for index, picture in enumerate(pictures[:24]):
        target = stills / f"{index}.png"
        if not target.exists():
            must("-i", picture, "-vf", f"scale={width}:{height}", "-frames:v", 1, target)
    rounds = int(seconds / (0.6 * min(24, len(pictures)))) + 1
    must("-stream_loop", rounds, "-framerate", "1/0.6", "-i", stills / "%d.png", "-vf", f"fps={RATE}", *lossless, path)


def with_pattern(folder, pattern, source, insertions, size=(320, 180)):
    """A lossless copy of a video, with the pattern filling the frame during the insertions."""
    name = "-".join(f"{each.start:g}+{each.length:g}x{each.opacity:g}" for each in insertions)
    path = folder / f"{source.stem}-{name}.mkv"
    if path.exists():
        return path
    width, height = size
    when = "+".join(f"between(t,{each.start - 0.001:.4f},{each.start + each.length - 0.001:.4f})" for each in insertions)
    must("-i", source, "-loop", 1, "-framerate", RATE, "-i", pattern, "-filter_complex",
         f"[1]scale={width}:{height}:force_original_aspect_ratio=decrease,pad={width}:{height}:-1:-1:gray,format=yuva420p,"
         f"colorchannelmixer=aa={insertions[0].opacity}[p];[0][p]overlay=enable='{when}':shortest=1,format=yuv420p",
         "-c:v", "ffv1", path)
    return path


# Encoders and their settings: as they come, and with scene cuts off and a group of pictures of 250 where they can.
# Nothing here is about quality: they are made fast.
CODECS = {
    "h264": ["-c:v", "libx264", "-preset", "veryfast"],
    "h264-nocuts": ["-c:v", "libx264", "-preset", "veryfast", "-sc_threshold", 0, "-g", 250],
    "hevc": ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"],
    "hevc-nocuts": ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:scenecut=0:keyint=250:min-keyint=250"],
    "vp8": ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", 8, "-b:v", "400k", "-g", 250],
    "vp9": ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", 8, "-b:v", "300k", "-g", 250],
    "av1": ["-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", 8, "-b:v", "300k", "-g", 250],
    "av1-svt": ["-c:v", "libsvtav1", "-preset", 12, "-crf", 40, "-g", 250],
    "mpeg4": ["-c:v", "mpeg4", "-q:v", 5],
    "mpeg4-nocuts": ["-c:v", "mpeg4", "-q:v", 5, "-sc_threshold", 1000000000, "-g", 250],
    "mpeg2": ["-c:v", "mpeg2video", "-q:v", 5, "-bf", 2],
    "mpeg2-nocuts": ["-c:v", "mpeg2video", "-q:v", 5, "-sc_threshold", 1000000000, "-g", 250, "-bf", 2],
    "mjpeg": ["-c:v", "mjpeg", "-q:v", 5, "-pix_fmt", "yuvj420p"],
    "prores": ["-c:v", "prores_ks", "-profile:v", 0, "-pix_fmt", "yuv422p10le"],
    "theora": ["-c:v", "libtheora", "-q:v", 5, "-g", 250],
    "flv1": ["-c:v", "flv", "-q:v", 5],
    "flv1-nocuts": ["-c:v", "flv", "-q:v", 5, "-sc_threshold", 1000000000, "-g", 250],
}
CONTAINERS = ["mp4", "mov", "mkv", "webm", "avi", "ts", "flv", "ogv"]


def encode(folder, source, codec):
    """The video encoded, in a container that takes everything; None where this FFmpeg cannot."""
    path = folder / f"{source.stem}-{codec}.nut"
    if not path.exists() and not ffmpeg("-i", source, "-pix_fmt", "yuv420p", *CODECS[codec], "-threads", 1, path):
        path.unlink(missing_ok=True)
        return None
    return path


def contained(encoded, container):
    """The encoded video in a container; None where it does not take that codec, or FFmpeg itself could not read it."""
    path = encoded.with_suffix(f".{container}")
    if path.exists():
        return path
    options = ["-c", "copy", "-strict", "experimental"]
    if container == "ts" and "-mpeg4" in encoded.stem:
        # What a decoder needs first is beside the packets in most containers, and among them in this one.
        options += ["-bsf:v", "dump_extra"]
    is_written = ffmpeg("-i", encoded, *options, path, seconds=30) and path.stat().st_size > 0
    if not is_written or not shows_pictures(path):
        path.unlink(missing_ok=True)
        return None
    return path


def shows_pictures(path):
    """Whether FFmpeg itself can play the file: it writes some codecs where it finds them only as mere data."""
    return ffmpeg("-i", path, "-map", "0:v", "-frames:v", 1, "-f", "null", "-", seconds=30)
