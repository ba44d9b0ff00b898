# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Readers that had no part in making the fixtures; each gives the picture as it ought to be shown."""

import ctypes
import ctypes.util
import io
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pillow_heif
from PIL import Image, ImageCms, ImageOps, ImageSequence


def pillow(path):
    """Pillow (for AVIF: libavif), turned by the EXIF orientation."""
    with Image.open(path) as image:
        image.load()
        return ImageOps.exif_transpose(image)


def _by_tool(path, *command):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.png")
        subprocess.run([*command, str(path), str(out)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with Image.open(out) as image:  # any EXIF in it is a copy: the tool has turned the pixels already
            image.load()
            return image


def heif_convert(path):
    """libheif, as the distribution has it."""
    return _by_tool(path, "heif-convert")


def recent_libheif(path):
    """libheif, as pillow-heif brings it: irot and imir applied, EXIF left alone."""
    return pillow_heif.open_heif(path).to_pillow()


def djxl(path):
    """libjxl."""
    return _by_tool(path, "djxl")


def djxl_frames(path):
    """The frames of an animated JPEG XL file; djxl writes them as an APNG."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.apng")
        subprocess.run(["djxl", str(path), str(out)], check=True, capture_output=True)
        with Image.open(out) as image:
            return [frame.convert("RGB") for frame in ImageSequence.Iterator(image)]


def lab_in_srgb(path):
    """A CIELAB TIFF in sRGB, by Little CMS."""
    with Image.open(path) as image:
        image.load()
        return ImageCms.profileToProfile(image, ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB"),
                                         outputMode="RGB")


def readers(path):
    """(name, reader) for a file, by its ending."""
    return {
        ".heic": [("heif-convert", heif_convert), ("libheif", recent_libheif)],
        ".avif": [("libavif", pillow), ("heif-convert", heif_convert)],
        ".jxl": [("djxl", djxl)],
    }.get(path.suffix, [("Pillow", pillow)])


def in_srgb(path):
    """The picture in sRGB by Little CMS, if it has a profile that can be read; otherwise as Pillow converts it."""
    with Image.open(path) as image:
        image.load()
        profile = image.info.get("icc_profile")
        if not profile:
            return image.convert("RGBA").convert("RGB") if image.mode == "P" else image.convert("RGB")
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        except OSError:
            return image.convert("RGB")
        return ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB",
                                         renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)


def jxl_preview(path, size):
    """The preview of a JPEG XL file, by libjxl's own interface (the constants are from its decode.h and types.h)."""
    class PixelFormat(ctypes.Structure):
        _fields_ = [("channels", ctypes.c_uint32), ("type", ctypes.c_int), ("endianness", ctypes.c_int),
                    ("align", ctypes.c_size_t)]

    library = ctypes.CDLL(ctypes.util.find_library("jxl"))
    library.JxlDecoderCreate.restype = ctypes.c_void_p
    data = Path(path).read_bytes()
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    decoder = ctypes.c_void_p(library.JxlDecoderCreate(None))
    needs_buffer, preview = 3, 0x200
    library.JxlDecoderSubscribeEvents(decoder, preview)
    library.JxlDecoderSetInput(decoder, data, ctypes.c_size_t(len(data)))
    layout = PixelFormat(3, 2, 0, 0)
    while (status := library.JxlDecoderProcessInput(decoder)) == needs_buffer:
        library.JxlDecoderSetPreviewOutBuffer(decoder, ctypes.byref(layout), pixels.ctypes.data_as(ctypes.c_void_p),
                                              ctypes.c_size_t(pixels.nbytes))
    library.JxlDecoderDestroy(decoder)
    assert status == preview, f"libjxl found no preview (status {status:#x})"
    return Image.fromarray(pixels)
