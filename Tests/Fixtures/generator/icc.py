# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Small ICC profiles and the colour arithmetic behind them (ICC.1:2010, IEC 61966-2-1)."""

import struct

import numpy as np

D50 = np.array([0.9642, 1.0, 0.8249])
D65 = np.array([0.95047, 1.0, 1.08883])
SRGB = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
ADOBE_RGB = ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))
DISPLAY_P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
SRGB_PARAMETERS = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)

_BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])


def linear(values):
    """sRGB 0...1 to linear light."""
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def companded(values):
    """Linear light to sRGB 0...1."""
    return np.where(values <= 0.0031308, values * 12.92, 1.055 * np.clip(values, 0, None) ** (1 / 2.4) - 0.055)


def matrix(primaries):
    """Linear RGB with a D65 white to XYZ relative to D50, adapted by Bradford."""
    xyz = np.array([[x / y, 1, (1 - x - y) / y] for x, y in primaries]).T
    cone = (_BRADFORD @ D50) / (_BRADFORD @ D65)
    adapt = np.linalg.inv(_BRADFORD) @ np.diag(cone) @ _BRADFORD
    return adapt @ (xyz * np.linalg.solve(xyz, D65))


def lab(image):
    """CIELAB relative to D50 of an sRGB picture, as floats."""
    xyz = linear(np.asarray(image) / 255) @ matrix(SRGB).T / D50
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def converted(image, primaries, encode):
    """The 8-bit pixels of an sRGB picture in another space; `encode` turns linear light into code values 0...1."""
    light = linear(np.asarray(image) / 255) @ matrix(SRGB).T @ np.linalg.inv(matrix(primaries)).T
    return (encode(np.clip(light, 0, 1)) * 255).round().astype(np.uint8)


def rgb_profile(name, primaries, curve):
    """A matrix profile (version 4); `curve` is a 'curv' or 'para' element."""
    columns = matrix(primaries).T
    tags = {"rXYZ": _xyz(columns[0]), "gXYZ": _xyz(columns[1]), "bXYZ": _xyz(columns[2]),
            "rTRC": curve, "gTRC": curve, "bTRC": curve}
    return _profile(name, b"mntr", b"RGB ", tags)


def cmyk_profile(name):
    """A profile under which CMYK means sRGB = (1 - CMY)(1 - K).

    A 'mAB' table: a lookup, the sRGB curve, the sRGB matrix. Nine points an ink, since the product of two inks is not
    linear inside the tetrahedra that are interpolated; two do for cyan, which Little CMS takes apart from the others.
    """
    points = (2, 9, 9, 9)
    inks = np.stack(np.meshgrid(*(np.linspace(0, 1, n) for n in points), indexing="ij"), -1)
    lookup = ((1 - inks[..., :3]) * (1 - inks[..., 3:]) * 65535).round().astype(">u2").tobytes()
    line = b"curv" + bytes(8)
    # 32768 stands for 1 in this encoding of XYZ.
    rows = matrix(SRGB) * 32768 / 65535
    elements = b"".join(_fixed(v) for v in rows.flatten()) + _fixed(0) * 3
    m_curves = gamma_parameters(SRGB_PARAMETERS) * 3
    clut = bytes([*points] + [0] * 12) + bytes([2, 0, 0, 0]) + lookup
    parts, at, offsets = [line * 3, elements, m_curves, clut, line * 4], 32, []
    for part in parts:
        offsets.append(at)
        at += len(part)
    table = b"mAB " + bytes(4) + bytes([4, 3, 0, 0]) + struct.pack(">5I", *offsets) + b"".join(parts)
    # One table for all intents: readers look for that of the intent they want.
    return _profile(name, b"scnr", b"CMYK", {"A2B0": table, "A2B1": table, "A2B2": table})


def gamma_parameters(parameters):
    """A parametric curve of type 3: (a x + b)^g from d on, c x below."""
    g, a, b, c, d = parameters
    return b"para" + bytes(4) + struct.pack(">HH", 3, 0) + b"".join(_fixed(v) for v in (g, a, b, c, d))


def gamma(value):
    """A pure power curve."""
    return b"para" + bytes(4) + struct.pack(">HH", 0, 0) + _fixed(value)


def _fixed(value):
    return struct.pack(">i", round(value * 65536))


def _xyz(values):
    return b"XYZ " + bytes(4) + b"".join(_fixed(v) for v in values)


def _text(value):
    data = value.encode("utf-16-be")
    return b"mluc" + bytes(4) + struct.pack(">II4sII", 1, 12, b"enUS", len(data), 28) + data


def _profile(name, device, space, tags):
    tags = {"desc": _text(name), "cprt": _text("CC0"), "wtpt": _xyz(D50), **tags}
    offset, table, body, places = 128 + 4 + 12 * len(tags), b"", b"", {}
    for tag, data in tags.items():
        if data not in places:
            places[data] = offset + len(body)
            body += data + bytes(-len(data) % 4)
        table += struct.pack(">4sII", tag.encode(), places[data], len(data))
    header = struct.pack(">I4sI4s4s4s", offset + len(body), bytes(4), 0x04200000, device, space, b"XYZ ")
    header += struct.pack(">6H", 2000, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
    header += b"".join(_fixed(v) for v in D50) + bytes(48)
    assert len(header) == 128, len(header)
    return header + struct.pack(">I", len(tags)) + table + body
