// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Planes.h"

#include <libavutil/mem.h>
#include <stdlib.h>
#include <string.h>

// Differences below this hardly show, in levels.
enum { visible_levels = 8, moved_levels = 4, detailed_levels = 12 };

// For each cell of a row of them, how far a plane of two frames is apart; only some of the rows, where they are many.
static void add_cells(
    const struct sca_planes *one, const struct sca_planes *other, int index, int row, uint16_t *sums,
    double changes[sca_cells]
) {
    int width = one->plane[index].width, height = one->plane[index].height, most = sca_most_rows(one);
    int from = sca_cell_start(row, height), to = sca_cell_end(row, height);
    for (int part = from; part < to; part += most) {
        int end = to - part < most ? to : part + most;
        memset(sums, 0, (size_t)width * sizeof *sums);
        for (int y = part; y < end; y++) sca_add_changes(one, other, index, y, y, sums);
        for (int cell = 0; cell < sca_cells; cell++) {
            int start = sca_cell_start(cell, width), last = sca_cell_end(cell, width);
            changes[cell] += sca_mean(sums, start, last, to - from) * sca_unit(one);
        }
    }
}

int CFFmpegShims_frames_look_same(const AVFrame *one, const AVFrame *other) {
    if (one->format != other->format || one->width != other->width || one->height != other->height ||
        one->colorspace != other->colorspace || one->color_range != other->color_range || one->color_trc != other->color_trc ||
        one->sample_aspect_ratio.num != other->sample_aspect_ratio.num ||
        one->sample_aspect_ratio.den != other->sample_aspect_ratio.den)
        return 0;
    struct sca_planes first, second;
    if (!sca_find_planes(one, &first) || !sca_find_planes(other, &second)) return 0;
    uint16_t *sums = av_malloc((size_t)one->width * sizeof *sums);
    if (!sums) return 0;
    // No matrix makes more than this of a difference of luma, and of one of colour in one channel.
    static const double luma = 1.17, color = 2.2;
    // A plane whose cells have moved by less has the averages of its blocks within a level, and their details within two.
    const double imperceptible = 1;
    int is_same = 1, is_identical = 1;
    for (int row = 0; row < sca_cells && is_same; row++) {
        double changes[4][sca_cells] = {{0}};
        for (int index = 0; index < first.count; index++) add_cells(&first, &second, index, row, sums, changes[index]);
        for (int cell = 0; cell < sca_cells; cell++) {
            double blue = changes[1][cell], red = changes[2][cell], most = blue > red ? blue : red;
            for (int index = 0; index < first.count; index++)
                is_identical = is_identical && changes[index][cell] < imperceptible;
            // Clipping makes differences smaller and never larger.
            is_same = is_same && luma * changes[0][cell] + color * most + 2 * changes[3][cell] < visible_levels;
        }
    }
    av_free(sums);
    return is_same ? is_identical ? 2 : 1 : 0;
}

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
    int start = sca_cell_start(cell, width), end = sca_cell_end(cell, width);
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
static void note_part(const struct part *part, CFFmpegShims_Difference *difference) {
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
static void note_blocks(const struct part *upper, const struct part *lower, CFFmpegShims_Difference *difference) {
    for (int cell = 0; cell < sca_cells; cell += 2) {
        const struct part *parts[4] = {upper + cell, upper + cell + 1, lower + cell, lower + cell + 1};
        for (int channel = 0; channel < 3; channel++) {
            int total = 0, count = 0;
            for (int index = 0; index < 4; index++) total += parts[index]->total[channel], count += parts[index]->count;
            double mean = (double)abs(total) / count;
            difference->largest = mean > difference->largest ? mean : difference->largest;
        }
    }
}

int CFFmpegShims_compare_pictures(
    const uint8_t *one, const uint8_t *other, int width, int height, CFFmpegShims_Difference *difference
) {
    // So many rows of differences fit into sums of 16 bits; of higher parts, those are compared that are in the middle.
    enum { most_rows = 128, least_parts = 8 };
    *difference = (CFFmpegShims_Difference){0};
    size_t count = (size_t)width * 3;
    int16_t *sums = av_malloc(count * 2 * sizeof *sums);
    if (!sums) return AVERROR(ENOMEM);
    struct part parts[2][sca_cells];
    for (int row = 0; row < sca_cells; row++) {
        int from = sca_cell_start(row, height), to = sca_cell_end(row, height);
        if (to - from > most_rows) from += (to - from - most_rows) / 2, to = from + most_rows;
        memset(sums, 0, count * 2 * sizeof *sums);
        for (int y = from; y < to; y++)
            add_differences(one + count * (size_t)y, other + count * (size_t)y, count, sums, sums + count);
        struct part *known = parts[row % 2];
        for (int cell = 0; cell < sca_cells; cell++) {
            known[cell] = part_of(sums, sums + count, width, to - from, cell);
            note_part(&known[cell], difference);
        }
        if (row % 2) note_blocks(parts[0], parts[1], difference);
    }
    av_free(sums);
    return difference->visible_parts >= least_parts;
}
