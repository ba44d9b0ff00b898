// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Planes.h"

#include <libavutil/mem.h>
#include <string.h>

struct sca_factors sca_factors_of(const AVFrame *frame) {
    const int *table = sws_getCoefficients(CFFmpegShims_color_space(frame));
    int is_full = CFFmpegShims_is_full_range(frame);
    double scale = (is_full ? 224.0 / 255 : 1) / 65536;
    return (struct sca_factors){
        is_full ? 1 : 255.0 / 219, is_full ? 0 : 16, table[0] * scale, table[2] * scale, table[3] * scale,
        table[1] * scale};
}

static double clipped(double level) { return level < 0 ? 0 : level > 255 ? 255 : level; }

void sca_make_color(const struct sca_factors *by, const double levels[3], double color[3]) {
    double luma = (levels[0] - by->offset) * by->luma, blue = levels[1] - 128, red = levels[2] - 128;
    color[0] = clipped(luma + by->red * red);
    color[1] = clipped(luma - by->green_blue * blue - by->green_red * red);
    color[2] = clipped(luma + by->blue * blue);
}

// The pixels of a frame of which one is made: as many as are made into it, or the nearest.
static int span_start(int index, int count, int length) { return (int)((int64_t)length * index / count); }
static int span_end(int index, int count, int length) {
    int start = span_start(index, count, length), end = span_start(index + 1, count, length);
    return end > start ? end : start + 1;
}

// The planes that are reduced, and a row of sums.
struct picture {
    const struct sca_planes *planes;
    int frame_width, frame_height, width, height;
    uint16_t *sums;
};

// Adds the mean levels of a row of pixels, in one plane. A sample counts for each pixel that shares it.
static void add_row(const struct picture *picture, int index, int row, double *levels) {
    const struct sca_planes *planes = picture->planes;
    int most = sca_most_rows(planes), shift_x = planes->plane[index].shift_x, shift_y = planes->plane[index].shift_y;
    int from = span_start(row, picture->height, picture->frame_height);
    int to = span_end(row, picture->height, picture->frame_height);
    const uint16_t *sums = picture->sums;
    for (int part = from; part < to; part += most) {
        int end = to - part < most ? to : part + most;
        memset(picture->sums, 0, (size_t)planes->plane[index].width * sizeof *picture->sums);
        for (int y = part; y < end; y++) sca_add_levels(planes, index, y >> shift_y, picture->sums);
        for (int x = 0; x < picture->width; x++) {
            int start = span_start(x, picture->width, picture->frame_width);
            int last = span_end(x, picture->width, picture->frame_width);
            uint64_t sum = 0;
            for (int place = start; place < last; place++) sum += sums[place >> shift_x];
            levels[x] += (double)sum * sca_unit(planes) / ((double)(last - start) * (to - from));
        }
    }
}

int CFFmpegShims_reduce_levels(const AVFrame *frame, int width, int height, uint8_t *pixels) {
    struct sca_planes planes;
    if (width < 1 || height < 1 || !sca_find_planes(frame, &planes) || planes.count < 3) return AVERROR(EINVAL);
    uint16_t *sums = av_malloc((size_t)frame->width * sizeof *sums);
    double *levels = av_malloc((size_t)width * 3 * sizeof *levels);
    if (!sums || !levels) {
        av_free(sums);
        av_free(levels);
        return AVERROR(ENOMEM);
    }
    struct picture picture = {&planes, frame->width, frame->height, width, height, sums};
    struct sca_factors factors = sca_factors_of(frame);
    for (int row = 0; row < height; row++) {
        memset(levels, 0, (size_t)width * 3 * sizeof *levels);
        for (int index = 0; index < 3; index++)
            add_row(&picture, index, row, levels + (size_t)index * (size_t)width);
        for (int x = 0; x < width; x++, pixels += 3) {
            double color[3], level[3] = {levels[x], levels[width + x], levels[2 * width + x]};
            sca_make_color(&factors, level, color);
            for (int channel = 0; channel < 3; channel++) pixels[channel] = (uint8_t)(color[channel] + 0.5);
        }
    }
    av_free(sums);
    av_free(levels);
    return 0;
}
