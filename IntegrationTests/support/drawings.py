# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Abstract drawings to which the default model gives middling and high scores, for tests that need such scores.

They are soft ellipses that a random search has moved (IntegrationTests/conformance/known_answers.py tells how)."""

from support import png

WIDTH, HEIGHT = 640, 480
# Background, ellipses as x, y, half axes and colour, and a texture.
MIDDLING = ((214, 24, 150), [
    (207, 65, 20, 212, (190, 177, 86)), (368, 274, 158, 97, (173, 119, 122)), (455, 367, 217, 128, (235, 131, 138)),
    (354, 315, 232, 74, (226, 134, 119)), (131, 186, 316, 109, (221, 174, 125)), (120, 180, 255, 164, (186, 133, 139)),
    (199, 406, 107, 217, (240, 123, 121))], (73, 46, 25, 31))
HIGH = ((214, 24, 150), [
    (272, 162, 87, 183, (204, 172, 99)), (549, 196, 204, 20, (200, 125, 114)), (542, 346, 239, 125, (229, 138, 151)),
    (350, 296, 260, 111, (251, 133, 124)), (127, 205, 306, 111, (220, 142, 124)), (122, 183, 229, 168, (192, 135, 128)),
    (218, 372, 45, 186, (245, 114, 136))], (73, 46, 25, 31))


def rows(background, ellipses, texture):
    """The rows of a drawing, as bytes of RGB."""
    factor_x, factor_y, product, levels = texture
    for y in range(0, HEIGHT):
        row = bytearray()
        for x in range(0, WIDTH):
            color = background
            for center_x, center_y, width, height, own in ellipses:
                distance = (x - center_x) ** 2 * 1024 // width**2 + (y - center_y) ** 2 * 1024 // height**2
                if distance < 1024:
                    opacity = min(1024, (1024 - distance) * 3)
                    color = [(level * (1024 - opacity) + mine * opacity) // 1024 for level, mine in zip(color, own)]
            grain = (x * factor_x + y * factor_y + x * y % product) % levels - levels // 2
            row += bytes(min(255, max(0, level + grain)) for level in color)
        yield bytes(row)


def write_drawings(folder):
    """Writes two pictures, with a middling and a high score; returns their paths."""
    paths = []
    for name, drawing in (("middling", MIDDLING), ("high", HIGH)):
        paths.append(folder / f"{name}.png")
        png.write(paths[-1], WIDTH, HEIGHT, rows(*drawing))
    return paths
