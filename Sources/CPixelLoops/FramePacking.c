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
