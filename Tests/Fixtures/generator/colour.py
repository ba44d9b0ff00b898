# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""`colour/`: one drawing in every kind of pixel, and what a correct reader makes of it."""

import io

import numpy as np
import tifffile
from PIL import Image

from . import drawings, icc, jpeg, png, tiff
from .saving import saved

ADOBE_GAMMA = 563 / 256


def make(write):
    """Writes the folder; `write(name, bytes)`."""
    chart = drawings.chart()
    pixels = np.asarray(chart)
    grey = np.asarray(chart.convert("L"))
    alpha = np.asarray(drawings.ramp(chart.size))
    rgba = np.dstack([pixels, alpha])
    write("expected.png", saved(chart, "PNG", optimize=True))
    write("expected-grey.png", saved(Image.fromarray(grey), "PNG", optimize=True))
    write("expected-alpha.png", saved(Image.fromarray(alpha), "PNG", optimize=True))

    _make_depths(write, chart, grey, alpha, rgba)
    _make_profiles(write, chart)
    _make_palettes(write, chart)
    _make_tiffs(write, chart, grey, rgba)


def _make_depths(write, chart, grey, alpha, rgba):
    deep = np.uint16(257)
    write("grey.jpg", saved(Image.fromarray(grey), "JPEG", quality=100))
    write("grey16.png", png.write(grey * deep, png.GREY))
    write("rgb16.png", png.write(np.asarray(chart) * deep, png.RGB))
    write("rgba.png", png.write(rgba, png.RGBA))
    write("grey-alpha.png", png.write(np.dstack([grey, alpha]), png.GREY_ALPHA))
    write("rgba.webp", saved(Image.fromarray(rgba), "WEBP", lossless=True, exact=True, method=6))


def _make_profiles(write, chart):
    adobe = icc.rgb_profile("Wide RGB with a power curve", icc.ADOBE_RGB, icc.gamma(ADOBE_GAMMA))
    p3 = icc.rgb_profile("Wide RGB with the sRGB curve", icc.DISPLAY_P3, icc.gamma_parameters(icc.SRGB_PARAMETERS))
    wide = Image.fromarray(icc.converted(chart, icc.ADOBE_RGB, lambda v: v ** (1 / ADOBE_GAMMA)))
    write("adobe-rgb.jpg", saved(wide, "JPEG", quality=100, subsampling=0, icc_profile=adobe))
    write("display-p3.png", saved(Image.fromarray(icc.converted(chart, icc.DISPLAY_P3, icc.companded)), "PNG",
                                  icc_profile=p3, optimize=True))
    plain = saved(chart, "JPEG", quality=100, subsampling=0)
    garbage = bytes((i * 73 + 41) % 256 for i in range(600))
    write("broken-icc.jpg", jpeg.inserting(plain, jpeg.icc(garbage)))
    inks = Image.fromarray(_cmyk(np.asarray(chart)), "CMYK")
    write("cmyk.jpg", saved(inks, "JPEG", quality=100, subsampling=0))
    write("cmyk-icc.jpg", saved(inks, "JPEG", quality=100, subsampling=0,
                                icc_profile=icc.cmyk_profile("CMYK that is sRGB")))


def _cmyk(pixels):
    """Inks such that (1 - CMY)(1 - K) is the picture, with half of the possible black."""
    light = pixels / 255
    black = (1 - light.max(-1, keepdims=True)) / 2
    return (np.concatenate([1 - light / (1 - black), black], -1) * 255).round().astype(np.uint8)


def _make_palettes(write, chart):
    indices, palette = palette_of(chart)
    image = Image.fromarray(indices, "P")
    image.putpalette(np.array(palette, np.uint8).tobytes())
    write("palette.png", saved(image, "PNG", optimize=True))
    # A palette's alpha goes by colour: the entries fade from transparent to opaque.
    fade = bytes(min(255, i * 4) for i in range(len(palette)))
    write("palette-transparent.png", saved(image, "PNG", optimize=True, transparency=fade))
    write("expected-palette-alpha.png",
          saved(Image.fromarray(np.frombuffer(fade, np.uint8)[indices]), "PNG", optimize=True))


def palette_of(image):
    """(indices, colours) of a picture with at most 256 colours."""
    pixels = np.asarray(image)
    colours, inverse = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    return inverse.reshape(pixels.shape[:2]).astype(np.uint8), [tuple(map(int, c)) for c in colours]


def _make_tiffs(write, chart, grey, rgba):
    pixels = np.asarray(chart)
    write("rgba.tiff", tiff.write([tiff.Directory(rgba, 2, {338: 2})]))
    write("rgb16.tiff", tiff.write([tiff.Directory(pixels * np.uint16(257), 2)]))
    indices, palette = palette_of(chart)
    planar = np.zeros((3, 256), int)
    planar[:, :len(palette)] = np.transpose(palette) * 257
    write("palette-alpha.tiff", tiff.write([
        tiff.Directory(np.dstack([indices, rgba[..., 3]]), 3, {320: (tiff.SHORT, planar.ravel().tolist()), 338: 2})]))
    ycc = np.asarray(chart.convert("YCbCr"))
    write("ycbcr.tiff", tiff.write([tiff.Directory(ycc, 6, {530: (tiff.SHORT, [1, 1])})]))
    tiles = io.BytesIO()
    tifffile.imwrite(tiles, np.moveaxis(pixels, 2, 0).copy(), photometric="rgb", planarconfig="separate", tile=(64, 64),
                     compression="zlib", metadata=None, software=False)
    write("planar-tiles.tiff", tiles.getvalue())
    light = icc.linear(pixels / 255).astype(np.float32)
    write("float.tiff", tiff.write([tiff.Directory(light, 2, sample_format=3)]))
    inks = _cmyk(pixels)
    write("cmyk.tiff", tiff.write([tiff.Directory(inks, 5, {332: 1})]))
    write("cmyk-icc.tiff", tiff.write([
        tiff.Directory(inks, 5, {332: 1, tiff.ICC_PROFILE: icc.cmyk_profile("CMYK that is sRGB")})]))
    lab = icc.lab(chart) * [255 / 100, 1, 1]
    write("lab.tiff", tiff.write([tiff.Directory(lab.round().astype(np.int16).astype(np.uint8), 8)]))
    # 0 is white, as in a fax.
    dark = grey < 128
    write("bilevel.tiff", tiff.write([tiff.Directory(dark, 0, bits=1)]))
    write("expected-bilevel.png", saved(Image.fromarray(np.where(dark, 0, 255).astype(np.uint8)), "PNG", optimize=True))
