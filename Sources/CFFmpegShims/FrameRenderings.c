// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Planes.h"

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <string.h>

// How much has to differ to be seen: levels of a cell, and the number of such cells.
enum { least_levels = 8, least_cells = 8 };

// The means of the cells of a row of them, and for colours how much neighbours differ.
struct cells {
    double level[CPIXELLOOPS_CELLS], across[CPIXELLOOPS_CELLS], down[CPIXELLOOPS_CELLS];
};

// The samples of a plane of which a cell of the reduced picture was made.
struct span {
    int start, end;
};

static struct span span_of(int cell, int reduced, int length) {
    int start = (int)((int64_t)length * CPixelLoops_cell_start(cell, reduced) / reduced);
    int end = (int)((int64_t)length * CPixelLoops_cell_end(cell, reduced) / reduced);
    return (struct span){start, end > start ? end : start + 1};
}

// The planes that are compared with a reduced picture, and a row of sums.
struct picture {
    const struct sca_planes *planes;
    int width, height;
    uint16_t *sums;
};

static void add_means(const struct picture *picture, int index, int rows, double *means) {
    for (int cell = 0; cell < CPIXELLOOPS_CELLS; cell++) {
        struct span span = span_of(cell, picture->width, picture->planes->plane[index].width);
        means[cell] += sca_mean(picture->sums, span.start, span.end, rows) * sca_unit(picture->planes);
    }
}

static void find_cells(const struct picture *picture, int index, int row, struct cells *cells) {
    const struct sca_planes *planes = picture->planes;
    int height = planes->plane[index].height, most = sca_most_rows(planes);
    struct span rows = span_of(row, picture->height, height);
    int count = rows.end - rows.start;
    uint16_t *sums = picture->sums;
    size_t size = (size_t)planes->plane[index].width * sizeof *sums;
    *cells = (struct cells){{0}, {0}, {0}};
    for (int from = rows.start; from < rows.end; from += most) {
        int to = rows.end - from < most ? rows.end : from + most;
        memset(sums, 0, size);
        for (int y = from; y < to; y++) sca_add_levels(planes, index, y, sums);
        add_means(picture, index, count, cells->level);
        if (index == 0) continue;
        memset(sums, 0, size);
        for (int y = from; y < to; y++) sca_add_steps(planes, index, y, sums);
        add_means(picture, index, count, cells->across);
        memset(sums, 0, size);
        for (int y = from; y < to && y + 1 < height; y++) sca_add_changes(planes, planes, index, y, y + 1, sums);
        add_means(picture, index, count, cells->down);
    }
}

static double larger(double one, double other) { return one > other ? one : other; }
static double distance(double one, double other) { return one > other ? one - other : other - one; }

// How far interpolated colours may lead from the nearest ones in a cell: they are made of three neighbours, with
// quarters of what these differ by, and clipping makes no difference larger.
static double spread(const struct sca_factors *by, const struct cells *blue, const struct cells *red, int cell, double down) {
    double of_blue = blue->across[cell] / 4 + blue->down[cell] * down;
    double of_red = red->across[cell] / 4 + red->down[cell] * down;
    return larger(
        larger(by->blue * of_blue, by->red * of_red), by->green_blue * of_blue + by->green_red * of_red);
}

// The colours of a cell of a reduced picture.
static void mean_color(const uint8_t *pixels, int width, int from, int to, int cell, double color[3]) {
    int start = CPixelLoops_cell_start(cell, width), end = CPixelLoops_cell_end(cell, width);
    uint64_t sums[3] = {0};
    for (int y = from; y < to; y++) {
        const uint8_t *pixel = pixels + 3 * ((size_t)y * (size_t)width + (size_t)start);
        for (int x = start; x < end; x++, pixel += 3)
            for (int channel = 0; channel < 3; channel++) sums[channel] += pixel[channel];
    }
    for (int channel = 0; channel < 3; channel++)
        color[channel] = (double)sums[channel] / ((double)(end - start) * (to - from));
}

// How far a cell's colours are from what its mean levels become.
static double shift(const struct sca_factors *by, const double levels[3], const double color[3]) {
    double made[3];
    sca_make_color(by, levels, made);
    double largest = distance(made[0], color[0]);
    return larger(larger(largest, distance(made[1], color[1])), distance(made[2], color[2]));
}

int CFFmpegShims_find_other_renderings(const AVFrame *frame, const uint8_t *pixels, int width, int height) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (!format || format->flags & AV_PIX_FMT_FLAG_RGB || format->nb_components < 3) return 0;
    struct sca_planes planes;
    if (!sca_find_planes(frame, &planes)) return CFFmpegShims_smooth_differs;
    uint16_t *sums = av_malloc((size_t)frame->width * sizeof *sums);
    if (!sums) return AVERROR(ENOMEM);
    struct picture picture = {&planes, width, height, sums};
    struct sca_factors factors = sca_factors_of(frame);
    int is_shared = format->log2_chroma_w > 0 || format->log2_chroma_h > 0, smooth = 0, scaled = 0;
    // FFmpeg's program leaves out every other row of colours of 4:2:2, and other programs do not.
    int is_halved = frame->format == AV_PIX_FMT_YUV422P || frame->format == AV_PIX_FMT_YUVJ422P;
    for (int row = 0; row < CPIXELLOOPS_CELLS; row++) {
        struct cells cells[3];
        for (int index = 0; index < 3; index++) find_cells(&picture, index, row, &cells[index]);
        int from = CPixelLoops_cell_start(row, height), to = CPixelLoops_cell_end(row, height);
        for (int cell = 0; cell < CPIXELLOOPS_CELLS; cell++) {
            double color[3];
            mean_color(pixels, width, from, to, cell, color);
            double levels[3] = {cells[0].level[cell], cells[1].level[cell], cells[2].level[cell]};
            scaled += shift(&factors, levels, color) >= least_levels;
            smooth += is_shared &&
                      spread(&factors, &cells[1], &cells[2], cell, is_halved ? 1 : 0.25) >= least_levels;
        }
    }
    av_free(sums);
    return (smooth >= least_cells ? CFFmpegShims_smooth_differs : 0) |
           (scaled >= least_cells ? CFFmpegShims_scaled_differs : 0);
}
