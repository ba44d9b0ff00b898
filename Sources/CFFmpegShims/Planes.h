// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Shared by the files that read samples of frames; Swift does not see it.

#ifndef SCA_CFFMPEGSHIMS_PLANES_H
#define SCA_CFFMPEGSHIMS_PLANES_H

#include <CPixelLoops.h>
#include "CFFmpegShims.h"

// The planes of a frame whose samples lie in planes of their own, of eight to sixteen bits.
struct sca_planes {
    int count, bytes, depth;
    struct {
        const uint8_t *data;
        int line_size, width, height, shift_x, shift_y;
    } plane[4];
};

// Returns whether the frame is of such a format.
int sca_find_planes(const AVFrame *frame, struct sca_planes *planes);

// Sums for each column: of the samples of a row, of the differences between two rows, and of those between neighbours in
// one row. They are of sca_unit levels, and have room for sca_most_rows rows.
void sca_add_levels(const struct sca_planes *planes, int index, int y, uint16_t *sums);
void sca_add_changes(
    const struct sca_planes *one, const struct sca_planes *other, int index, int y, int z, uint16_t *sums);
void sca_add_steps(const struct sca_planes *planes, int index, int y, uint16_t *sums);
double sca_unit(const struct sca_planes *planes);
int sca_most_rows(const struct sca_planes *planes);

// The mean of the sums of some columns, after so many rows.
double sca_mean(const uint16_t *sums, int start, int end, int rows);

// The factors by which levels of the planes become colours.
struct sca_factors {
    double luma, offset, red, green_blue, green_red, blue;
};

struct sca_factors sca_factors_of(const AVFrame *frame);

// The levels of red, green and blue that those of luma and of the two colours become, within their bounds.
void sca_make_color(const struct sca_factors *by, const double levels[3], double color[3]);

#endif
