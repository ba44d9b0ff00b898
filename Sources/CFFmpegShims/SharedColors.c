// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Reduction.h"

#include <math.h>
#include <string.h>

struct sca_weights sca_weights_of(const AVFrame *frame) {
    const int *table = sws_getCoefficients(CFFmpegShims_color_space(frame));
    int is_full = CFFmpegShims_is_full_range(frame);
    double scale = (is_full ? 224.0 / 255 : 1) / 8;
    return (struct sca_weights){
        is_full ? 0 : 16, (int16_t)lrint(is_full ? 8192 : 8192 * 255.0 / 219), (int16_t)lrint(table[0] * scale),
        (int16_t)lrint(table[2] * scale), (int16_t)lrint(table[3] * scale), (int16_t)lrint(table[1] * scale)};
}

/// Eight samples; in memory they may begin at any number.
typedef int16_t Samples __attribute__((vector_size(16), aligned(2)));
typedef int32_t WideSamples __attribute__((vector_size(32)));

static Samples all(int16_t value) { return (Samples){value, value, value, value, value, value, value, value}; }

static Samples product(Samples one, Samples other) {
    WideSamples wide = __builtin_convertvector(one, WideSamples) * __builtin_convertvector(other, WideSamples);
    return __builtin_convertvector(wide >> 16, Samples);
}

// One row of colours, with three parts of the nearer row and one of the other, then the same within the row.
//
// The result is the level less 128, in 1/128.
static void spread(
    const uint8_t *restrict near, const uint8_t *restrict far, int count, int16_t *restrict column, int16_t *restrict row
) {
    for (int x = 0; x < count; x++) column[x + 1] = (int16_t)(3 * near[x] + far[x]);
    column[0] = column[1];
    column[count + 1] = column[count];
    for (int x = 0; x < count; x++) {
        int16_t middle = (int16_t)(3 * column[x + 1]);
        row[2 * x] = (int16_t)((middle + column[x] - 2048) * 8);
        row[2 * x + 1] = (int16_t)((middle + column[x + 2] - 2048) * 8);
    }
}

// One row of colours, each for two pixels. The result is the same as of spread.
static void repeat(const uint8_t *restrict near, int count, int16_t *restrict row) {
    for (int x = 0; x < count; x++) row[2 * x] = row[2 * x + 1] = (int16_t)((near[x] - 128) * 128);
}

static Samples clipped(Samples sixteenths) {
    Samples level = sixteenths >> 4, isHigh = level > 255;
    level &= level > 0;
    return (level & ~isHigh) | (isHigh & 255);
}

// The sums have room for whole groups of samples behind each row.
static void add_colors(
    const uint8_t *luma, const int16_t *blue, const int16_t *red, int count, size_t row, struct sca_weights by,
    uint16_t *sums
) {
    for (int x = 0; x < count; x += 8) {
        Samples levels;
        for (int place = 0; place < 8; place++) levels[place] = luma[x + place];
        // Half a level, since the shift rounds down.
        Samples level = product((levels - by.offset) * 128, all(by.luma)) + 8;
        Samples blues = *(const Samples *)(blue + x), reds = *(const Samples *)(red + x);
        Samples *red_sums = (Samples *)(sums + x), *green_sums = (Samples *)(sums + row + x);
        Samples *blue_sums = (Samples *)(sums + 2 * row + x);
        // Products are rounded down: two of them are too low by one together.
        *red_sums += clipped(level + 1 + product(reds, all(by.red)));
        *green_sums += clipped(level - product(blues, all(by.green_blue)) - product(reds, all(by.green_red)));
        *blue_sums += clipped(level + 1 + product(blues, all(by.blue)));
    }
}

static int has_all_rows(const AVFrame *frame) {
    return frame->format == AV_PIX_FMT_YUV422P || frame->format == AV_PIX_FMT_YUVJ422P;
}

int sca_shares_colors(const AVFrame *frame, int is_smooth) {
    if (has_all_rows(frame)) return !is_smooth && frame->height % 2 == 0;
    return frame->format == AV_PIX_FMT_YUV420P || frame->format == AV_PIX_FMT_YUVJ420P;
}

void sca_add_shared_colors(
    const AVFrame *frame, int row, int is_smooth, const struct sca_weights *weights, size_t step, int16_t *room,
    uint16_t *sums
) {
    int count = (frame->width + 1) / 2, last = (frame->height + 1) / 2 - 1, near = row / 2;
    int far = row % 2 ? near + 1 : near - 1;
    far = far < 0 ? 0 : far > last ? last : far;
    int16_t *column = room, *colors[2] = {room + step + 4, room + 2 * (step + 4)};
    for (int index = 0; index < 2; index++) {
        const uint8_t *plane = frame->data[index + 1];
        ptrdiff_t line = frame->linesize[index + 1] * (ptrdiff_t)(has_all_rows(frame) ? 2 : 1);
        if (is_smooth) spread(plane + near * line, plane + far * line, count, column, colors[index]);
        else repeat(plane + near * line, count, colors[index]);
    }
    // With room behind it, since pixels are taken eight at a time.
    uint8_t *luma = (uint8_t *)(room + 3 * (step + 4));
    memcpy(luma, frame->data[0] + (ptrdiff_t)row * frame->linesize[0], (size_t)frame->width);
    add_colors(luma, colors[0], colors[1], frame->width, step, *weights, sums);
}
