// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Reduction.h"

#include <libavutil/mem.h>
#include <string.h>

// The number of rows of bytes that fit into sums of 16 bits.
enum { most_rows = 256 };

struct sums {
    int width, channels;
    /// The distance of the channels, each of which has a row of its own.
    size_t row;
    /// The first pixel of each block of a row, and the width of the reduced picture.
    const int *starts;
    int block_count;
    int rows, short_rows;
    /// The sums of the latest rows, and those of all rows before them.
    uint16_t *recent;
    uint32_t *all;
    /// Rows of colours, and one of luma.
    int16_t *room;
};

static void add_bytes(const uint8_t *restrict row, size_t count, uint16_t *restrict sums) {
    for (size_t index = 0; index < count; index++) sums[index] += row[index];
}

static void flush(struct sums *sums) {
    size_t count = sums->row * (size_t)sums->channels;
    uint32_t *restrict all = sums->all;
    uint16_t *restrict recent = sums->recent;
    for (size_t index = 0; index < count; index++) all[index] += recent[index];
    memset(recent, 0, count * sizeof *recent);
    sums->short_rows = 0;
}

static void clear(struct sums *sums) {
    size_t count = sums->row * (size_t)sums->channels;
    if (sums->rows > sums->short_rows) memset(sums->all, 0, count * sizeof *sums->all);
    memset(sums->recent, 0, count * sizeof *sums->recent);
    sums->rows = sums->short_rows = 0;
}

// Adds a row of opaque pixels.
static void add_row(struct sums *sums, uint8_t *const planes[4], const int line_sizes[4], int row) {
    size_t width = (size_t)sums->width;
    if (sums->short_rows == most_rows) flush(sums);
    // Planes are green, blue and red.
    static const int places[3] = {2, 0, 1};
    for (int channel = 0; channel < 3; channel++) {
        int plane = places[channel];
        add_bytes(planes[plane] + (ptrdiff_t)row * line_sizes[plane], width, sums->recent + sums->row * (size_t)channel);
    }
    sums->rows++;
    sums->short_rows++;
}

// Adds a row of pixels that may be transparent: the colours over black, the opacity, and the colours without it.
static int add_transparent_row(struct sums *sums, uint8_t *const planes[4], const int line_sizes[4], int row) {
    static const int places[3] = {2, 0, 1};
    size_t width = (size_t)sums->width;
    const uint8_t *opacity = planes[3] + (ptrdiff_t)row * line_sizes[3];
    int least = 255;
    for (int channel = 0; channel < 3; channel++) {
        const uint8_t *restrict color = planes[places[channel]] + (ptrdiff_t)row * line_sizes[places[channel]];
        uint32_t *restrict over = sums->all + sums->row * (size_t)channel, *restrict bare = over + 4 * sums->row;
        for (size_t x = 0; x < width; x++) {
            over[x] += (color[x] * opacity[x] + 127u) / 255u;
            bare[x] += color[x];
        }
    }
    uint32_t *restrict all = sums->all + 3 * sums->row;
    for (size_t x = 0; x < width; x++) {
        all[x] += opacity[x];
        if (opacity[x] < least) least = opacity[x];
    }
    sums->rows++;
    return least;
}

// The sums of the three channels of a block.
static void sum_block(const struct sums *sums, int start, int end, uint64_t totals[3]) {
    totals[0] = totals[1] = totals[2] = 0;
    for (size_t channel = 0; channel < 3; channel++) {
        const uint16_t *recent = sums->recent + sums->row * channel;
        for (int x = start; x < end; x++) totals[channel] += recent[x];
    }
    if (sums->rows == sums->short_rows) return;
    for (size_t channel = 0; channel < 3; channel++) {
        const uint32_t *all = sums->all + sums->row * channel;
        for (int x = start; x < end; x++) totals[channel] += all[x];
    }
}

static uint8_t mean(uint64_t sum, uint64_t count) { return (uint8_t)((sum + count / 2) / count); }

static void write_row(const struct sums *sums, uint8_t *pixels) {
    uint64_t known = 0, inverse = 0;
    for (int x = 0; x < sums->block_count; x++, pixels += 3) {
        int start = sums->starts[x], end = sums->starts[x + 1] > start ? sums->starts[x + 1] : start + 1;
        uint64_t count = (uint64_t)(end - start) * (uint64_t)sums->rows, totals[3];
        sum_block(sums, start, end, totals);
        // A division for each sample would take longer than all else. Of so few samples, this gives the same.
        if (count != known) inverse = ((UINT64_C(1) << 40) + count - 1) / (known = count);
        for (int channel = 0; channel < 3; channel++) {
            pixels[channel] = count < 1 << 15 ? (uint8_t)((totals[channel] + count / 2) * inverse >> 40)
                                              : mean(totals[channel], count);
        }
    }
}

static void write_transparent_row(const struct sums *sums, size_t size, uint8_t *pixels) {
    for (int x = 0; x < sums->block_count; x++) {
        int start = sums->starts[x], end = sums->starts[x + 1] > start ? sums->starts[x + 1] : start + 1;
        uint64_t count = (uint64_t)(end - start) * (uint64_t)sums->rows, totals[7] = {0};
        for (int channel = 0; channel < 7; channel++) {
            const uint32_t *all = sums->all + (size_t)channel * sums->row;
            for (int place = start; place < end; place++) totals[channel] += all[place];
        }
        uint64_t clear = 255 * count - totals[3];
        for (int channel = 0; channel < 3; channel++) {
            uint8_t *pixel = pixels + x * 3 + channel;
            uint64_t white = totals[channel] + clear;
            pixel[0] = mean(white > 255 * count ? 255 * count : white, count);
            pixel[size] = mean(totals[channel], count);
            pixel[2 * size] = mean(totals[4 + channel], count);
        }
    }
}

static void add_shared_row(
    struct sums *sums, const AVFrame *frame, int row, int is_smooth, CPixelLoops_Weights weights
) {
    if (sums->short_rows == most_rows) flush(sums);
    CPixelLoops_SharedRow shared = sca_shared_row(frame, row);
    // Samples are taken in groups, and frames may end at any.
    uint8_t *luma = (uint8_t *)(sums->room + 3 * (sums->row + 4));
    memcpy(luma, shared.luma, (size_t)frame->width);
    shared.luma = luma;
    CPixelLoops_add_shared_colors(
        shared, (size_t)frame->width, is_smooth, false, weights, sums->row, sums->room, sums->recent);
    sums->rows++;
    sums->short_rows++;
}

// Writes a row of a frame at its own size.
static void write_whole_row(
    struct sums *sums, const AVFrame *frame, int row, int is_smooth, CPixelLoops_Weights weights, uint8_t *pixels
) {
    CPixelLoops_SharedRow shared = sca_shared_row(frame, row);
    // Samples are taken in groups, and frames may end at any.
    uint8_t *luma = (uint8_t *)(sums->room + 3 * (sums->row + 4));
    memcpy(luma, shared.luma, (size_t)frame->width);
    shared.luma = luma;
    CPixelLoops_add_shared_colors(
        shared, (size_t)frame->width, is_smooth, true, weights, sums->row, sums->room, sums->recent);
    CPixelLoops_join_colors(sums->recent, sums->row, (size_t)frame->width, pixels);
}

static int make_room(CFFmpegShims_Reducer *reducer, const AVFrame *frame, int width, struct sums *sums) {
    size_t planes = sums->channels == 7 ? 4 : 3, rows = band_rows + 2 * margin_rows;
    int error = sca_reserve(
        (void **)&reducer->pixels, &reducer->pixels_size, sca_line_size(frame) * planes * rows + alignment);
    if (error < 0) return error;
    sums->row = ((size_t)frame->width + CPIXELLOOPS_GROUP - 1) / CPIXELLOOPS_GROUP * CPIXELLOOPS_GROUP;
    size_t count = sums->row * (size_t)sums->channels;
    size_t size = count * (sizeof *sums->all + sizeof *sums->recent);
    size_t room = (sums->row + 4) * 4;
    error = sca_reserve(
        &reducer->sums, &reducer->sums_size, size + room * sizeof *sums->room + ((size_t)width + 1) * sizeof *sums->starts);
    if (error < 0) return error;
    int *starts = reducer->sums;
    for (int x = 0; x <= width; x++) starts[x] = CPixelLoops_block_at(x, width, frame->width).start;
    sums->starts = starts;
    sums->block_count = width;
    sums->all = (uint32_t *)(starts + width + 1);
    sums->recent = (uint16_t *)(sums->all + count);
    sums->room = (int16_t *)(sums->recent + count);
    memset(sums->all, 0, size);
    return 0;
}

// Applies a curve to rows of colours, and not to their opacity.
static void apply(const uint8_t *curve, uint8_t *const planes[4], const int line_sizes[4], int rows) {
    for (int plane = 0; plane < 3 && planes[plane]; plane++) {
        size_t count = (size_t)line_sizes[plane] * (size_t)rows;
        for (size_t index = 0; index < count; index++) planes[plane][index] = curve[planes[plane][index]];
    }
}

int CFFmpegShims_reduce(
    CFFmpegShims_Reducer *reducer, const AVFrame *frame, int width, int height, int is_smooth, const uint8_t *curve,
    uint8_t *pixels
) {
    if (frame->width < 1 || frame->height < 1 || width < 1 || height < 1) return AVERROR(EINVAL);
    int is_transparent = CFFmpegShims_has_alpha(frame), least = 255;
    struct sums sums = {.width = frame->width, .channels = is_transparent ? 7 : 3};
    int error = make_room(reducer, frame, width, &sums);
    if (error < 0) return error;
    size_t row_size = (size_t)width * 3, size = row_size * (size_t)height;
    uint8_t *planes[4];
    int line_sizes[4], first = 0, converted = 0;
    int is_shared = !curve && sca_shares_colors(frame, is_smooth);
    CPixelLoops_Weights weights = sca_weights_of(frame);
    if (is_shared && width == frame->width && height == frame->height) {
        for (int row = 0; row < height; row++) {
            write_whole_row(&sums, frame, row, is_smooth, weights, pixels + row_size * (size_t)row);
        }
        return 1;
    }
    for (int target = 0; target < height; target++) {
        CPixelLoops_Block block = CPixelLoops_block_at(target, height, frame->height);
        for (int row = block.start; row < block.end; row++) {
            if (is_shared) {
                add_shared_row(&sums, frame, row, is_smooth, weights);
                continue;
            }
            int from = row / band_rows * band_rows, to = from + band_rows < frame->height ? from + band_rows : frame->height;
            if (converted != to) {
                error = sca_convert(reducer, frame, from, to, is_smooth, planes, line_sizes, &first);
                if (error < 0) return error;
                if (curve) apply(curve, planes, line_sizes, to - first);
                converted = to;
            }
            if (is_transparent) {
                int found = add_transparent_row(&sums, planes, line_sizes, row - first);
                if (found < least) least = found;
            } else {
                add_row(&sums, planes, line_sizes, row - first);
            }
        }
        uint8_t *result = pixels + row_size * (size_t)target;
        if (is_transparent) {
            write_transparent_row(&sums, size, result);
            memset(sums.all, 0, sums.row * 7 * sizeof *sums.all);
            sums.rows = 0;
        } else {
            write_row(&sums, result);
            clear(&sums);
        }
    }
    return is_transparent && least < nearly_opaque ? 3 : 1;
}
