// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"

#include <stdlib.h>
#include <string.h>

// Differences below this hardly show, in levels.
enum { visible_levels = 8, moved_levels = 4, detailed_levels = 12 };

static void add_differences(
    const uint8_t *restrict one, const uint8_t *restrict other, size_t count, int16_t *restrict totals,
    int16_t *restrict changes
) {
    for (size_t index = 0; index < count; index++) {
        int16_t step = (int16_t)(one[index] - other[index]);
        totals[index] = (int16_t)(totals[index] + step);
        changes[index] = (int16_t)(changes[index] + (step < 0 ? -step : step));
    }
}

// The sums of the differences of a part, in each channel, and the number of its pixels.
struct part {
    int total[3], change[3], count;
};

static struct part part_of(const int16_t *totals, const int16_t *changes, int width, int rows, int cell) {
    int start = CPixelLoops_cell_start(cell, width), end = CPixelLoops_cell_end(cell, width);
    struct part part = {{0}, {0}, (end - start) * rows};
    for (int x = start; x < end; x++) {
        for (int channel = 0; channel < 3; channel++) {
            part.total[channel] += totals[x * 3 + channel];
            part.change[channel] += changes[x * 3 + channel];
        }
    }
    return part;
}

// Adds what a part says to a difference.
static void note_part(const struct part *part, CPixelLoops_Difference *difference) {
    int shows = 0, moves = 0, is_detailed = 0;
    for (int channel = 0; channel < 3; channel++) {
        double mean = (double)abs(part->total[channel]) / part->count;
        is_detailed = is_detailed || part->change[channel] >= detailed_levels * part->count;
        shows = shows || mean >= visible_levels;
        moves = moves || mean >= moved_levels;
    }
    difference->visible_parts += shows;
    difference->moved_parts += moves;
    difference->detailed_parts += is_detailed;
}

// Adds what the blocks say that are made of four parts each.
static void note_blocks(const struct part *upper, const struct part *lower, CPixelLoops_Difference *difference) {
    for (int cell = 0; cell < CPIXELLOOPS_CELLS; cell += 2) {
        const struct part *parts[4] = {upper + cell, upper + cell + 1, lower + cell, lower + cell + 1};
        for (int channel = 0; channel < 3; channel++) {
            int total = 0, count = 0;
            for (int index = 0; index < 4; index++) total += parts[index]->total[channel], count += parts[index]->count;
            double mean = (double)abs(total) / count;
            difference->largest = mean > difference->largest ? mean : difference->largest;
        }
    }
}

int CPixelLoops_compare_pictures(
    const uint8_t *one, const uint8_t *other, int width, int height, CPixelLoops_Difference *difference
) {
    // The number of rows of differences that fit into sums of 16 bits; of higher parts, those are compared that are in the middle.
    enum { most_rows = 128, least_parts = 8 };
    *difference = (CPixelLoops_Difference){0};
    size_t count = (size_t)width * 3;
    int16_t *sums = malloc(count * 2 * sizeof *sums);
    if (!sums) return -1;
    struct part parts[2][CPIXELLOOPS_CELLS];
    for (int row = 0; row < CPIXELLOOPS_CELLS; row++) {
        int from = CPixelLoops_cell_start(row, height), to = CPixelLoops_cell_end(row, height);
        if (to - from > most_rows) from += (to - from - most_rows) / 2, to = from + most_rows;
        memset(sums, 0, count * 2 * sizeof *sums);
        for (int y = from; y < to; y++)
            add_differences(one + count * (size_t)y, other + count * (size_t)y, count, sums, sums + count);
        struct part *known = parts[row % 2];
        for (int cell = 0; cell < CPIXELLOOPS_CELLS; cell++) {
            known[cell] = part_of(sums, sums + count, width, to - from, cell);
            note_part(&known[cell], difference);
        }
        if (row % 2) note_blocks(parts[0], parts[1], difference);
    }
    free(sums);
    return difference->visible_parts >= least_parts;
}
