# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`colour/simple/`: one drawing in TGA, PNM, PAM, QOI, PCX, SGI, DDS, Photoshop, ICO and JPEG 2000."""

import io
import struct
import subprocess

import numpy as np
from PIL import Image

from . import drawings, photoshop
from .colour import palette_of
from .saving import saved

SIZE = (51, 37)


def make(write):
    """Writes the folder; `write(name, bytes)`."""
    chart = drawings.chart(SIZE)
    grey, bilevel = chart.convert("L"), chart.convert("1", dither=Image.Dither.NONE)
    transparent = chart.copy()
    transparent.putalpha(drawings.ramp(SIZE))
    indexed = chart.quantize(256, dither=Image.Dither.NONE)

    write("rgb.tga", saved(chart, "TGA"))
    write("runs.tga", saved(chart, "TGA", compression="tga_rle"))
    write("rgba.tga", saved(transparent, "TGA", compression="tga_rle"))
    write("palette.tga", saved(indexed, "TGA", compression="tga_rle"))
    write("grey.tga", saved(grey, "TGA", compression="tga_rle"))
    write("rgb.ppm", saved(chart, "PPM"))
    write("grey.pgm", saved(grey, "PPM"))
    write("bilevel.pbm", saved(bilevel, "PPM"))
    write("text.ppm", _text(chart))
    write("text.pbm", _bits(bilevel))
    write("wide.ppm", b"P6 %d %d 65535\n" % SIZE + bytes(np.repeat(np.asarray(chart).ravel(), 2)))
    write("rgba.pam", b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" % SIZE
          + transparent.tobytes())
    write("rgb.qoi", saved(chart, "QOI"))
    write("rgba.qoi", saved(transparent, "QOI"))
    write("rgb.pcx", saved(chart, "PCX"))
    write("palette.pcx", saved(indexed, "PCX"))
    write("bilevel.pcx", saved(bilevel, "PCX"))
    write("rgb.sgi", saved(chart, "SGI"))
    write("rgba.sgi", saved(transparent, "SGI"))
    write("wide.sgi", saved(chart, "SGI", bpc=2))
    write("runs.sgi", _encoded(chart, "sgi", "-rle", "1"))
    write("grey.sgi", _encoded(grey, "sgi", "-rle", "1"))
    write("rgb.dds", saved(chart, "DDS"))
    write("rgba.dds", saved(transparent, "DDS"))
    write("grey.dds", _with_masks(saved(grey, "DDS"), 0xFF, 0, 0))
    blocks = {}
    for kind in "DXT1", "DXT5":
        blocks[kind] = saved(transparent, "DDS", pixel_format=kind)
        write(f"{kind.lower()}.dds", blocks[kind])
    write("levels.dds", _with_level(blocks["DXT5"], saved(transparent.resize((25, 18)), "DDS", pixel_format="DXT5")))
    write("rgb.psd", photoshop.write(_planes(chart), photoshop.RGB))
    write("rgba.psd", photoshop.write(_planes(transparent), photoshop.RGB, compression=photoshop.RAW))
    wide = np.repeat(_planes(grey), 2, axis=2)
    write("grey16.psd", photoshop.write(wide, photoshop.GREY, 16))
    write("bilevel.psd", photoshop.bitmap(np.packbits(np.asarray(bilevel) == 0, axis=1)[None], SIZE[0]))
    indices, colours = np.asarray(indexed), indexed.getpalette()
    planar = b"".join(bytes(colours[band::3]).ljust(256, b"\0") for band in range(3))
    write("palette.psd", photoshop.write(indices[None], photoshop.INDEXED, palette=planar))
    write("png.ico", saved(chart, "ICO", sizes=[SIZE]))

    write("rgb.jp2", saved(chart, "JPEG2000"))
    write("rgba.jp2", saved(transparent, "JPEG2000"))
    write("grey.j2k", saved(grey, "JPEG2000", no_jp2=True))
    write("grey12.j2k", _grey12(grey))

    masked = chart.copy()
    mask = Image.linear_gradient("L").resize(SIZE).point(lambda level: 255 if level > 127 else 0)
    masked.putalpha(mask)
    write("masked24.ico", _icon(np.asarray(chart)[..., ::-1], mask, 24, []))
    indices, palette = palette_of(chart)
    write("masked8.ico", _icon(indices[..., None], mask, 8, palette))
    for name, expected in {
        "expected.png": chart, "expected-grey.png": grey, "expected-bilevel.png": bilevel,
        "expected-rgba.png": transparent, "expected-masked.png": masked,
        "expected-dxt1.png": Image.open(io.BytesIO(blocks["DXT1"])),
        "expected-dxt5.png": Image.open(io.BytesIO(blocks["DXT5"])),
    }.items():
        write(name, saved(expected, "PNG", optimize=True))


def _planes(image):
    """The samples of a picture, one array for each band."""
    return np.moveaxis(np.atleast_3d(np.asarray(image)), 2, 0)


def _encoded(image, codec, *options):
    """`image` as ffmpeg's encoder of one picture writes it."""
    command = ["ffmpeg", "-v", "error", "-f", "png_pipe", "-i", "-", *options, "-c:v", codec, "-f", "image2pipe", "-"]
    return subprocess.run(command, input=saved(image, "PNG"), stdout=subprocess.PIPE, check=True).stdout


def _with_masks(texture, *masks):
    """A DDS file with the masks of red, green and blue that FFmpeg reads; Pillow writes others for grey."""
    header = bytearray(texture[:128])
    struct.pack_into("<3I", header, 92, *masks)
    return bytes(header) + texture[128:]


def _with_level(texture, level):
    """A DDS file with a smaller copy of its picture behind it."""
    header = bytearray(texture[:128])
    struct.pack_into("<I", header, 8, struct.unpack_from("<I", header, 8)[0] | 0x20000)
    struct.pack_into("<I", header, 28, 2)
    return bytes(header) + texture[128:] + level[128:]


def _text(image):
    """A PPM file of decimal numbers, with a comment."""
    numbers = np.asarray(image).reshape(image.height, -1)
    rows = "\n".join(" ".join(map(str, row)) for row in numbers)
    return f"P3\n# drawn by numbers\n{image.width} {image.height}\n255\n{rows}\n".encode()


def _bits(image):
    """A PBM file of digits without spaces; 1 is black."""
    rows = "\n".join("".join("0" if level else "1" for level in row) for row in np.asarray(image))
    return f"P1\n{image.width} {image.height}\n{rows}\n".encode()


def _grey12(image):
    """A codestream with 12 bits a sample, by ffmpeg's libopenjpeg."""
    levels = (np.asarray(image).astype(int) * 4095 + 127) // 255
    command = ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray12le", "-s", "%dx%d" % SIZE, "-i", "-"]
    command += ["-c:v", "libopenjpeg", "-format", "j2k", "-compression_level", "0", "-f", "image2pipe", "-"]
    return subprocess.run(command, input=levels.astype("<u2").tobytes(), stdout=subprocess.PIPE, check=True).stdout


def _icon(pixels, mask, bits, palette):
    """An icon with one picture without opacity of its own, and a mask that is 1 where nothing is shown."""
    height, width = pixels.shape[:2]
    rows = [row.tobytes() for row in pixels[::-1].astype(np.uint8)]
    stored = b"".join(row + bytes(-len(row) % 4) for row in rows)
    hidden = np.packbits(np.asarray(mask)[::-1] == 0, axis=1)
    stored_mask = b"".join(row.tobytes() + bytes(-len(row) % 4) for row in hidden)
    header = struct.pack("<IiiHHIIiiII", 40, width, 2 * height, 1, bits, 0, 0, 0, 0, len(palette), 0)
    colours = b"".join(bytes((blue, green, red, 0)) for red, green, blue in palette)
    data = header + colours + stored + stored_mask
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, width, height, 0, 0, 1, bits, len(data), 22) + data
