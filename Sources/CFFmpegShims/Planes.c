// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Planes.h"

#include <libavutil/pixdesc.h>

int sca_find_planes(const AVFrame *frame, struct sca_planes *planes) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    const uint64_t unread = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                            AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER;
    if (!format || format->flags & unread || frame->width < 1 || frame->height < 1) return 0;
    int depth = format->comp[0].depth, bytes = depth > 8 ? 2 : 1;
    if (depth < 8 || depth > 16) return 0;
    *planes = (struct sca_planes){.count = format->nb_components, .bytes = bytes, .depth = depth};
    for (int index = 0; index < planes->count; index++) {
        const AVComponentDescriptor *component = &format->comp[index];
        if (component->step != bytes || component->depth != depth || component->shift || !frame->data[component->plane])
            return 0;
        int is_shared = (index == 1 || index == 2) && !(format->flags & AV_PIX_FMT_FLAG_RGB);
        int shift_x = is_shared ? format->log2_chroma_w : 0, shift_y = is_shared ? format->log2_chroma_h : 0;
        planes->plane[index].data = frame->data[component->plane];
        planes->plane[index].line_size = frame->linesize[component->plane];
        planes->plane[index].width = AV_CEIL_RSHIFT(frame->width, shift_x);
        planes->plane[index].height = AV_CEIL_RSHIFT(frame->height, shift_y);
        planes->plane[index].shift_x = shift_x;
        planes->plane[index].shift_y = shift_y;
    }
    return 1;
}

static void add_byte_levels(const uint8_t *restrict row, int count, uint16_t *restrict sums) {
    for (int x = 0; x < count; x++) sums[x] += row[x];
}

static void add_byte_changes(
    const uint8_t *restrict row, const uint8_t *restrict line, int count, uint16_t *restrict sums
) {
    for (int x = 0; x < count; x++) {
        uint8_t one = row[x], other = line[x];
        sums[x] += (uint8_t)(one > other ? one - other : other - one);
    }
}

static void add_word_levels(const uint16_t *restrict row, int count, int shift, uint16_t *restrict sums) {
    for (int x = 0; x < count; x++) sums[x] += row[x] >> shift;
}

static void add_word_changes(
    const uint16_t *restrict row, const uint16_t *restrict line, int count, int shift, uint16_t *restrict sums
) {
    for (int x = 0; x < count; x++) {
        uint16_t one = row[x], other = line[x];
        sums[x] += (uint16_t)(one > other ? one - other : other - one) >> shift;
    }
}

// Samples of more than eight bits are added with fractions of two bits, as far as the sums have room.
static int shift_of(const struct sca_planes *planes) { return planes->depth > 10 ? planes->depth - 10 : 0; }

double sca_unit(const struct sca_planes *planes) { return planes->bytes == 1 ? 1 : planes->depth == 9 ? 0.5 : 0.25; }

int sca_most_rows(const struct sca_planes *planes) { return planes->bytes == 1 ? 256 : 64; }

static const uint8_t *row_at(const struct sca_planes *planes, int index, int y) {
    return planes->plane[index].data + (ptrdiff_t)y * planes->plane[index].line_size;
}

void sca_add_levels(const struct sca_planes *planes, int index, int y, uint16_t *sums) {
    const uint8_t *row = row_at(planes, index, y);
    int count = planes->plane[index].width;
    if (planes->bytes == 1) add_byte_levels(row, count, sums);
    else add_word_levels((const uint16_t *)(const void *)row, count, shift_of(planes), sums);
}

void sca_add_changes(
    const struct sca_planes *one, const struct sca_planes *other, int index, int y, int z, uint16_t *sums
) {
    const uint8_t *row = row_at(one, index, y), *line = row_at(other, index, z);
    int count = one->plane[index].width;
    if (one->bytes == 1) {
        add_byte_changes(row, line, count, sums);
    } else {
        const uint16_t *first = (const uint16_t *)(const void *)row, *second = (const uint16_t *)(const void *)line;
        add_word_changes(first, second, count, shift_of(one), sums);
    }
}

void sca_add_steps(const struct sca_planes *planes, int index, int y, uint16_t *sums) {
    const uint8_t *row = row_at(planes, index, y);
    int count = planes->plane[index].width - 1;
    if (planes->bytes == 1) {
        add_byte_changes(row, row + 1, count, sums);
    } else {
        const uint16_t *first = (const uint16_t *)(const void *)row;
        add_word_changes(first, first + 1, count, shift_of(planes), sums);
    }
}

double sca_mean(const uint16_t *sums, int start, int end, int rows) {
    uint64_t sum = 0;
    for (int x = start; x < end; x++) sum += sums[x];
    return (double)sum / ((double)(end - start) * rows);
}
