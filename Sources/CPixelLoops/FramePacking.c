// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"
#include "Wide.h"
#include <string.h>

// The two planes of colours behind the plane of luma.
typedef struct {
    size_t columns, rows;
    uint8_t *blue, *red;
} ColorPlanes;

static ColorPlanes color_planes(size_t width, size_t height, uint8_t *target) {
    ColorPlanes planes = {.columns = (width + 1) / 2, .rows = (height + 1) / 2};
    planes.blue = target + width * height;
    planes.red = planes.blue + planes.columns * planes.rows;
    return planes;
}

static inline uint8_t mean(uint8_t one, uint8_t other) { return (uint8_t)((one + other + 1) / 2); }

WIDE static void take_luma(const uint8_t *restrict pairs, size_t width, uint8_t *restrict luma) {
    for (size_t x = 0; x < width; x++) luma[x] = pairs[2 * x];
}

WIDE static void take_colors(
    const uint8_t *restrict upper, const uint8_t *restrict lower, size_t columns, uint8_t *restrict blue,
    uint8_t *restrict red
) {
    for (size_t x = 0; x < columns; x++) {
        blue[x] = mean(upper[4 * x], lower[4 * x]);
        red[x] = mean(upper[4 * x + 2], lower[4 * x + 2]);
    }
}

void CPixelLoops_pack_pairs(
    const uint8_t *pairs, size_t bytes_per_row, size_t width, size_t height, bool luma_is_first, uint8_t *target
) {
    size_t luma = luma_is_first ? 0 : 1;
    for (size_t y = 0; y < height; y++) take_luma(pairs + y * bytes_per_row + luma, width, target + y * width);
    ColorPlanes planes = color_planes(width, height, target);
    for (size_t y = 0; y < planes.rows; y++) {
        const uint8_t *upper = pairs + 2 * y * bytes_per_row + 1 - luma;
        // The last row of an odd number is a pair with itself.
        const uint8_t *lower = 2 * y + 1 < height ? upper + bytes_per_row : upper;
        take_colors(upper, lower, planes.columns, planes.blue + y * planes.columns, planes.red + y * planes.columns);
    }
}

WIDE static void take_steps(
    const uint8_t *restrict colors, size_t columns, size_t step, uint8_t *restrict target
) {
    for (size_t x = 0; x < columns; x++) target[x] = colors[x * step];
}

void CPixelLoops_pack_planes(const CPixelLoops_SharedFrame *frame, uint8_t *target) {
    size_t width = (size_t)frame->width, height = (size_t)frame->height;
    for (size_t y = 0; y < height; y++) {
        memcpy(target + y * width, frame->luma + (ptrdiff_t)y * frame->luma_bytes_per_row, width);
    }
    ColorPlanes planes = color_planes(width, height, target);
    for (size_t y = 0; y < planes.rows; y++) {
        ptrdiff_t row = (ptrdiff_t)y * frame->color_bytes_per_row;
        size_t step = (size_t)frame->color_step;
        take_steps(frame->blue + row, planes.columns, step, planes.blue + y * planes.columns);
        take_steps(frame->red + row, planes.columns, step, planes.red + y * planes.columns);
    }
}

// Source of the factors: ITU-R BT.709-6, section 3, for 8-bit samples in video range; in 1/65536,
// and rounded so that grey has no colour.
enum { luma_red = 11966, luma_green = 40254, luma_blue = 4064 };
enum { blue_red = -6596, blue_green = -22189, blue_blue = 28785 };
enum { red_red = 28784, red_green = -26145, red_blue = -2639 };

static inline uint8_t level(int sum, int offset) { return (uint8_t)((sum + (offset << 16) + (1 << 15)) >> 16); }

WIDE static void pack_luma(
    const uint8_t *restrict pixels, size_t width, size_t red, size_t blue, uint8_t *restrict luma
) {
    for (size_t x = 0; x < width; x++) {
        const uint8_t *pixel = pixels + 4 * x;
        luma[x] = level(luma_red * pixel[red] + luma_green * pixel[1] + luma_blue * pixel[blue], 16);
    }
}

void CPixelLoops_pack_colors(
    const uint8_t *pixels, size_t bytes_per_row, size_t width, size_t height, bool red_is_first, uint8_t *target
) {
    size_t red = red_is_first ? 0 : 2, blue = 2 - red;
    for (size_t y = 0; y < height; y++) {
        pack_luma(pixels + y * bytes_per_row, width, red, blue, target + y * width);
    }
    ColorPlanes planes = color_planes(width, height, target);
    for (size_t y = 0; y < planes.rows; y++) {
        const uint8_t *upper = pixels + 2 * y * bytes_per_row;
        const uint8_t *lower = 2 * y + 1 < height ? upper + bytes_per_row : upper;
        for (size_t x = 0; x < planes.columns; x++) {
            size_t left = 8 * x, right = 2 * x + 1 < width ? left + 4 : left;
            int sums[3];
            for (size_t color = 0; color < 3; color++) {
                sums[color] = (upper[left + color] + upper[right + color] + lower[left + color] + lower[right + color] + 2)
                              / 4;
            }
            planes.blue[y * planes.columns + x] =
                level(blue_red * sums[red] + blue_green * sums[1] + blue_blue * sums[blue], 128);
            planes.red[y * planes.columns + x] =
                level(red_red * sums[red] + red_green * sums[1] + red_blue * sums[blue], 128);
        }
    }
}
