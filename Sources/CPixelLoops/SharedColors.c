// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"
#include "Wide.h"

static inline int16_t product(int one, int other) { return (int16_t)(one * other >> 16); }

// One row of colours, with three parts of the nearer row and one of the other, then the same within the row.
//
// The result is the level less 128, in 1/256.
WIDE static void spread(
    const uint8_t *restrict near, const uint8_t *restrict far, size_t count, int16_t *restrict column,
    int16_t *restrict row
) {
    for (size_t x = 0; x < count; x++) column[x + 1] = (int16_t)(3 * near[x] + far[x]);
    column[0] = column[1];
    column[count + 1] = column[count];
    for (size_t x = 0; x < count; x++) {
        int16_t middle = (int16_t)(3 * column[x + 1]);
        row[2 * x] = (int16_t)((middle + column[x] - 2048) * 16);
        row[2 * x + 1] = (int16_t)((middle + column[x + 2] - 2048) * 16);
    }
}

// The same for a row of colours, each for one pixel.
WIDE static void spread_rows(
    const uint8_t *restrict near, const uint8_t *restrict far, size_t count, int16_t *restrict row
) {
    for (size_t x = 0; x < count; x++) row[x] = (int16_t)((4 * (3 * near[x] + far[x]) - 2048) * 16);
}

// One row of colours, each for one pixel. The result is the same as of spread.
WIDE static void widen(const uint8_t *restrict near, size_t count, int16_t *restrict row) {
    for (size_t x = 0; x < count; x++) row[x] = (int16_t)((near[x] - 128) * 256);
}

// One row of colours, each for two pixels. The result is the same as of spread.
WIDE static void repeat(const uint8_t *restrict near, size_t count, int16_t *restrict row) {
    for (size_t x = 0; x < count; x++) row[2 * x] = row[2 * x + 1] = (int16_t)((near[x] - 128) * 256);
}

// Levels are in 1/32, so that all colours of any luma fit into 16 bits, by the factors of every standard.
enum { PARTS_OF_LEVEL = 32 };

static inline uint16_t level_of(int16_t parts) {
    int16_t level = (int16_t)(parts >> 5);
    return (uint16_t)(level < 0 ? 0 : level > 255 ? 255 : level);
}

// The sums have room for whole groups of samples behind each row.
//
// Every step has 16 bits and ends in a sum: of differences of two products, compilers make multiplications of 32 bits,
// which take four times as long.
WIDE static void add_colors(
    const uint8_t *restrict luma, const int16_t *restrict blue, const int16_t *restrict red, size_t count,
    CPixelLoops_Weights by, bool is_first, uint16_t *restrict red_sums, uint16_t *restrict green_sums,
    uint16_t *restrict blue_sums
) {
    const int16_t green_blue = (int16_t)-by.green_blue, green_red = (int16_t)-by.green_red;
    const int16_t light = (int16_t)(2 * by.luma);
    const uint16_t kept = kept_bits(is_first);
    for (size_t x = 0; x < count; x++) {
        int16_t level = product((int16_t)((luma[x] - by.offset) * 128), light);
        // Half a level, since shifts round down.
        level = (int16_t)(level + PARTS_OF_LEVEL / 2);
        int16_t reds = (int16_t)(level + product(red[x], by.red));
        // Products are rounded down: two of them are too low by one together.
        int16_t greens = (int16_t)(level + 1 + product(blue[x], green_blue));
        greens = (int16_t)(greens + product(red[x], green_red));
        int16_t blues = (int16_t)(level + product(blue[x], by.blue));
        red_sums[x] = (uint16_t)((red_sums[x] & kept) + level_of(reds));
        green_sums[x] = (uint16_t)((green_sums[x] & kept) + level_of(greens));
        blue_sums[x] = (uint16_t)((blue_sums[x] & kept) + level_of(blues));
    }
}

void CPixelLoops_add_shared_colors(
    CPixelLoops_SharedRow row, size_t width, bool is_smooth, bool is_first, CPixelLoops_Weights weights, size_t step,
    int16_t *room, uint16_t *sums
) {
    int16_t *column = room, *blue = room + step + 4, *red = room + 2 * (step + 4);
    const size_t count = (width + row.columns - 1) / row.columns;
    if (row.columns == 1 && row.rows == 2 && is_smooth) {
        spread_rows(row.blue[0], row.blue[1], count, blue);
        spread_rows(row.red[0], row.red[1], count, red);
    } else if (row.columns == 1) {
        widen(row.blue[0], count, blue);
        widen(row.red[0], count, red);
    } else if (is_smooth) {
        spread(row.blue[0], row.blue[1], count, column, blue);
        spread(row.red[0], row.red[1], count, column, red);
    } else {
        repeat(row.blue[0], count, blue);
        repeat(row.red[0], count, red);
    }
    size_t groups = (width + CPIXELLOOPS_GROUP - 1) / CPIXELLOOPS_GROUP;
    add_colors(
        row.luma, blue, red, groups * CPIXELLOOPS_GROUP, weights, is_first, sums, sums + step, sums + 2 * step);
}

WIDE void CPixelLoops_join_colors(const uint16_t *levels, size_t step, size_t width, uint8_t *pixels) {
    const uint16_t *restrict red = levels, *restrict green = levels + step, *restrict blue = levels + 2 * step;
    uint8_t *restrict target = pixels;
    for (size_t x = 0; x < width; x++) {
        target[3 * x] = (uint8_t)red[x];
        target[3 * x + 1] = (uint8_t)green[x];
        target[3 * x + 2] = (uint8_t)blue[x];
    }
}

WIDE void CPixelLoops_add_steps(const uint8_t *row, const uint8_t *other, size_t count, uint16_t *sums) {
    for (size_t x = 0; x + 1 < count; x++) {
        int across = row[x + 1] - row[x], down = other[x] - row[x];
        sums[x] = (uint16_t)(sums[x] + (across < 0 ? -across : across) + (down < 0 ? -down : down));
    }
}

WIDE static void add_both(
    const uint16_t *restrict one, const uint16_t *restrict other, size_t count, uint16_t *restrict target
) {
    for (size_t x = 0; x < count; x++) target[x] = (uint16_t)(one[x] + other[x]);
}

// The sums of each `columns` neighbours from each place on, by doubling. `room` has place for twice as many sums.
static const uint16_t *slide(const uint16_t *sums, size_t count, size_t columns, uint16_t *room) {
    const uint16_t *known = sums;
    uint16_t *next = room, *free = room + count;
    size_t size = 1, bit = 1;
    while (bit * 2 <= columns) bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2) {
        for (int is_odd = 0; is_odd <= ((columns & bit) != 0); is_odd++) {
            const size_t step = size;
            count -= is_odd ? 1 : step;
            add_both(known, (is_odd ? sums : known) + step, count, next);
            size += is_odd ? 1 : step;
            known = next;
            next = free;
            free = (uint16_t *)known;
        }
    }
    return known;
}

// Writes pixels of planes one behind the other.
WIDE static void interleave(const uint16_t *restrict sums, size_t step, size_t width, uint8_t *restrict target) {
    const uint16_t *green = sums + step, *blue = sums + 2 * step;
    for (size_t x = 0; x < width; x++) {
        target[3 * x] = (uint8_t)sums[x];
        target[3 * x + 1] = (uint8_t)green[x];
        target[3 * x + 2] = (uint8_t)blue[x];
    }
}

void CPixelLoops_average_sums_of_planes(
    const uint16_t *sums, size_t step, size_t width, size_t horizontal, size_t rows, uint16_t *room, uint8_t *target
) {
    if (horizontal * rows == 1) {
        interleave(sums, step, width, target);
        return;
    }
    const float share = 1.0f / (float)(horizontal * rows);
    const size_t whole = width / horizontal, rest = width - whole * horizontal;
    for (size_t channel = 0; channel < 3; channel++) {
        const uint16_t *window = slide(sums + channel * step, width, horizontal, room);
        for (size_t block = 0; block < whole; block++)
            target[3 * block + channel] = (uint8_t)((float)window[block * horizontal] * share + 0.5f);
        if (rest == 0) continue;
        uint32_t sum = 0;
        for (size_t x = width - rest; x < width; x++) sum += sums[channel * step + x];
        target[3 * whole + channel] = (uint8_t)((float)sum / (float)(rest * rows) + 0.5f);
    }
}

void CPixelLoops_average_planes(
    const uint32_t *totals, size_t step, size_t width, size_t horizontal, size_t rows, uint8_t *target
) {
    for (size_t start = 0; start < width; start += horizontal, target += 3) {
        size_t end = start + horizontal < width ? start + horizontal : width;
        uint64_t count = (uint64_t)(end - start) * rows;
        for (size_t channel = 0; channel < 3; channel++) {
            uint64_t sum = count / 2;
            for (size_t x = start; x < end; x++) sum += totals[channel * step + x];
            target[channel] = (uint8_t)(sum / count);
        }
    }
}
