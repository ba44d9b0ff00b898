// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"
#include "Wide.h"

#include <stdlib.h>
#include <string.h>

// The factors of colours in 1/65,536, for levels from 16 to 235 and from 16 to 240.
enum {
    luma_red = 11966, luma_green = 40254, luma_blue = 4064,
    blue_red = -6596, blue_green = -22189, blue_blue = 28784,
    red_red = 28784, red_green = -26145, red_blue = -2639,
};

WIDE static void split(
    const uint8_t *restrict pixels, size_t width, uint8_t *restrict red, uint8_t *restrict green,
    uint8_t *restrict blue
) {
    for (size_t x = 0; x < width; x++) {
        red[x] = pixels[3 * x];
        green[x] = pixels[3 * x + 1];
        blue[x] = pixels[3 * x + 2];
    }
}

WIDE static void write_luma(
    const uint8_t *restrict red, const uint8_t *restrict green, const uint8_t *restrict blue, size_t width,
    uint8_t *restrict luma
) {
    for (size_t x = 0; x < width; x++) {
        luma[x] = (uint8_t)((luma_red * red[x] + luma_green * green[x] + luma_blue * blue[x] + (16 << 16) + 32768) >> 16);
    }
}

// The sums of two rows, with one part of the column to the left, two of the column, and one of that to the right.
WIDE static void filter(
    const uint8_t *restrict upper, const uint8_t *restrict lower, size_t columns, int32_t *restrict sums
) {
    // The first and the last column repeat themselves, outside of the rows.
    for (size_t x = 0; x < columns; x++) {
        const uint8_t *up = upper + 2 * x, *low = lower + 2 * x;
        sums[x] = up[-1] + 2 * up[0] + up[1] + low[-1] + 2 * low[0] + low[1];
    }
}

WIDE static void write_colors(
    const int32_t *restrict red, const int32_t *restrict green, const int32_t *restrict blue, size_t columns,
    uint8_t *restrict blues, uint8_t *restrict reds
) {
    // The sums have eight parts.
    const int32_t middle = (128 << 19) + (1 << 18);
    for (size_t x = 0; x < columns; x++) {
        blues[x] = (uint8_t)((blue_red * red[x] + blue_green * green[x] + blue_blue * blue[x] + middle) >> 19);
        reds[x] = (uint8_t)((red_red * red[x] + red_green * green[x] + red_blue * blue[x] + middle) >> 19);
    }
}

bool CPixelLoops_pack_video(const uint8_t *pixels, int width, int height, CPixelLoops_VideoFrame frame) {
    size_t room = (size_t)frame.width + 2, columns = (size_t)frame.width / 2;
    uint8_t *rows = malloc(room * 6 + columns * 3 * sizeof(int32_t) + 64);
    if (!rows) return false;
    int32_t *sums = (int32_t *)(rows + (room * 6 + 63) / 64 * 64);
    for (int y = 0; y < frame.height; y += 2) {
        for (int row = 0; row < 2; row++) {
            int from = y + row < height ? y + row : height - 1;
            uint8_t *channels[3];
            for (int channel = 0; channel < 3; channel++) channels[channel] = rows + room * (size_t)(row * 3 + channel) + 1;
            split(
                pixels + (size_t)from * (size_t)width * 3, (size_t)width, channels[0], channels[1], channels[2]);
            for (int channel = 0; channel < 3; channel++) {
                uint8_t *levels = channels[channel];
                levels[-1] = levels[0];
                memset(levels + width, levels[width - 1], room - 1 - (size_t)width);
            }
            write_luma(
                channels[0], channels[1], channels[2], (size_t)frame.width,
                frame.luma + (ptrdiff_t)(y + row) * frame.luma_bytes_per_row);
        }
        for (int channel = 0; channel < 3; channel++) {
            const uint8_t *upper = rows + room * (size_t)channel + 1;
            filter(upper, upper + 3 * room, columns, sums + columns * (size_t)channel);
        }
        ptrdiff_t place = (ptrdiff_t)(y / 2) * frame.color_bytes_per_row;
        write_colors(sums, sums + columns, sums + 2 * columns, columns, frame.blue + place, frame.red + place);
    }
    free(rows);
    return true;
}
