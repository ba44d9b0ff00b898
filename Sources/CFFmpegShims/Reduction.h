// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Shared by the files that reduce frames; Swift does not see it.

#ifndef SCA_CFFMPEGSHIMS_REDUCTION_H
#define SCA_CFFMPEGSHIMS_REDUCTION_H

#include "CFFmpegShims.h"

#include <CPixelLoops.h>

// Rows that are converted at once: so few that they stay in the processor's cache. A multiple of the rows that share
// colours in any format.
enum { band_rows = 32, margin_rows = 4, alignment = 32 };
// From this opacity on, a change of the background moves a colour by less than three levels.
enum { nearly_opaque = 253 };

/// The conversion of so many rows of a format.
struct band {
    struct SwsContext *context;
    enum AVPixelFormat source, target;
    int width, rows, space, is_full, is_smooth;
};

struct CFFmpegShims_Reducer {
    /// The conversion of most bands, and of the last.
    struct band bands[2];
    uint8_t *pixels;
    size_t pixels_size;
    void *sums;
    size_t sums_size;
};

// The distance of rows of a plane that is converted, in bytes.
size_t sca_line_size(const AVFrame *frame);

// Makes room for so many bytes. Returns 0, or an AVERROR.
int sca_reserve(void **memory, size_t *size, size_t needed);

// Converts the rows of a frame from one to another, with as many around them as they depend on.
//
// The planes are green, blue, red and opacity. Returns 0, or an AVERROR.
int sca_convert(
    CFFmpegShims_Reducer *reducer, const AVFrame *frame, int from, int to, int is_smooth, uint8_t *planes[4],
    int line_sizes[4], int *first);

CPixelLoops_Weights sca_weights_of(const AVFrame *frame);

// Whether each colour of a frame is for four pixels, so that its rows can be added by CPixelLoops_add_shared_colors.
//
// FFmpeg's program shows 4:2:2 like that as well: it leaves out every other row of colours where `is_smooth` is not set.
int sca_shares_colors(const AVFrame *frame, int is_smooth);

// A row of such a frame.
CPixelLoops_SharedRow sca_shared_row(const AVFrame *frame, int row);

#endif
