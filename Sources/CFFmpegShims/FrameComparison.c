// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Planes.h"

#include <libavutil/mem.h>
#include <string.h>

// Differences below this hardly show, in levels.
enum { visible_levels = 8 };

// For each cell of a row of them, how far a plane of two frames is apart; only some of the rows, where they are many.
static void add_cells(
    const struct sca_planes *one, const struct sca_planes *other, int index, int row, uint16_t *sums,
    double changes[CPIXELLOOPS_CELLS]
) {
    int width = one->plane[index].width, height = one->plane[index].height, most = sca_most_rows(one);
    int from = CPixelLoops_cell_start(row, height), to = CPixelLoops_cell_end(row, height);
    for (int part = from; part < to; part += most) {
        int end = to - part < most ? to : part + most;
        memset(sums, 0, (size_t)width * sizeof *sums);
        for (int y = part; y < end; y++) sca_add_changes(one, other, index, y, y, sums);
        for (int cell = 0; cell < CPIXELLOOPS_CELLS; cell++) {
            int start = CPixelLoops_cell_start(cell, width), last = CPixelLoops_cell_end(cell, width);
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
    for (int row = 0; row < CPIXELLOOPS_CELLS && is_same; row++) {
        double changes[4][CPIXELLOOPS_CELLS] = {{0}};
        for (int index = 0; index < first.count; index++) add_cells(&first, &second, index, row, sums, changes[index]);
        for (int cell = 0; cell < CPIXELLOOPS_CELLS; cell++) {
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
