// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"

#include <stdlib.h>
#include <string.h>

// The number of rows of bytes that fit into sums of 16 bits.
enum { most_rows = 257, most_columns = 1 << 15 };

// The blocks of a row, which are found once, because their divisions take longer than the sums.
static CPixelLoops_Block *blocks_of(int width, int length) {
    CPixelLoops_Block *blocks = malloc((size_t)width * sizeof *blocks);
    for (int x = 0; blocks && x < width; x++) blocks[x] = CPixelLoops_block_at(x, width, length);
    return blocks;
}

// The quotients of sums by a count of samples. A multiplication takes a fraction of the time of a division, and with
// count < 2^16 and sum <= 256 * count it has the same result: its error is below sum / 2^40 < 2^-16 < 1 / count.
typedef struct {
    uint32_t count;
    uint64_t inverse;
} Divisor;

static Divisor divisor(int columns, int rows) {
    const uint32_t count = (uint32_t)columns * (uint32_t)rows;
    return (Divisor){count, count < 1 << 16 ? ((uint64_t)1 << 40) / count + 1 : 0};
}

static inline uint8_t quotient(uint32_t sum, Divisor divisor) {
    return (uint8_t)(divisor.inverse ? sum * divisor.inverse >> 40 : sum / divisor.count);
}

// The rounded means of the blocks of a row of the reduced picture. Samples of a channel are `step` apart.
static void write_row(
    const uint16_t *sums, size_t channel_step, size_t step, int rows, const CPixelLoops_Block *blocks, int width,
    uint8_t *target
) {
    // Blocks have at most two lengths, which differ by one column.
    const int least = (blocks[width - 1].end) / width;
    const Divisor divisors[2] = {divisor(least, rows), divisor(least + 1, rows)};
    for (int x = 0; x < width; x++) {
        // Sums of 16 bits for at most most_columns columns fit into 32 bits.
        const int columns = blocks[x].end - blocks[x].start;
        const Divisor divisor = divisors[columns - least];
        for (size_t channel = 0; channel < 3; channel++) {
            const uint16_t *sum = sums + channel * channel_step + (size_t)blocks[x].start * step;
            uint32_t total = divisor.count / 2;
            for (int place = 0; place < columns; place++, sum += step) total += *sum;
            *target++ = quotient(total, divisor);
        }
    }
}

// Two rows of colours of a frame, one after the other in memory of their own if they share a plane.
static const uint8_t *color_row(
    const uint8_t *plane, const CPixelLoops_SharedFrame *frame, int row, uint8_t *room
) {
    const uint8_t *samples = plane + (ptrdiff_t)row * frame->color_bytes_per_row;
    if (frame->color_step == 1) return samples;
    size_t count = ((size_t)frame->width + 1) / 2;
    for (size_t x = 0; x < count; x++) room[x] = samples[2 * x];
    return room;
}

bool CPixelLoops_reduce_shared_frame(
    const CPixelLoops_SharedFrame *frame, int width, int height, bool is_smooth, uint8_t *target
) {
    if (width < 1 || height < 1 || frame->width < width || frame->height / height + 1 > most_rows) return false;
    if (frame->width / width + 1 > most_columns) return false;
    size_t length = (size_t)frame->width;
    size_t step = (length + CPIXELLOOPS_GROUP - 1) / CPIXELLOOPS_GROUP * CPIXELLOOPS_GROUP, room = 3 * (step + 4);
    uint16_t *sums = malloc((3 * step + room) * sizeof *sums + 5 * step);
    CPixelLoops_Block *blocks = blocks_of(width, frame->width);
    if (!sums || !blocks) {
        free(sums);
        free(blocks);
        return false;
    }
    uint8_t *luma = (uint8_t *)(sums + 3 * step + room), *colors = luma + step;
    memset(luma, 0, step);
    int last_color = (frame->height + 1) / 2 - 1;
    for (int y = 0; y < height; y++) {
        CPixelLoops_Block rows = CPixelLoops_block_at(y, height, frame->height);
        for (int row = rows.start; row < rows.end; row++) {
            int near = row / 2, far = row % 2 ? near + 1 : near - 1;
            far = far < 0 ? 0 : far > last_color ? last_color : far;
            // Samples are taken in groups, and rows may end at any.
            memcpy(luma, frame->luma + (ptrdiff_t)row * frame->luma_bytes_per_row, length);
            CPixelLoops_SharedRow shared = {
                .columns = 2,
                .rows = 2,
                .luma = luma,
                .blue = {color_row(frame->blue, frame, near, colors), color_row(frame->blue, frame, far, colors + step)},
                .red = {color_row(frame->red, frame, near, colors + 2 * step),
                        color_row(frame->red, frame, far, colors + 3 * step)}};
            CPixelLoops_add_shared_colors(
                shared, length, is_smooth, row == rows.start, frame->weights, step, (int16_t *)(sums + 3 * step), sums);
        }
        write_row(sums, step, 1, rows.end - rows.start, blocks, width, target + (size_t)y * (size_t)width * 3);
    }
    free(blocks);
    free(sums);
    return true;
}

bool CPixelLoops_reduce_pixels(
    const uint8_t *pixels, ptrdiff_t bytes_per_row, int columns, int rows, CPixelLoops_Format format, uint8_t background,
    int width, int height, uint8_t *target
) {
    if (width < 1 || height < 1 || columns < width || rows / height + 1 > most_rows) return false;
    if (columns / width + 1 > most_columns) return false;
    size_t length = (size_t)columns * 3;
    uint16_t *sums = malloc(length * sizeof *sums + length);
    CPixelLoops_Block *blocks = blocks_of(width, columns);
    if (!sums || !blocks) {
        free(sums);
        free(blocks);
        return false;
    }
    uint8_t *opaque = (uint8_t *)(sums + length);
    for (int y = 0; y < height; y++) {
        CPixelLoops_Block block = CPixelLoops_block_at(y, height, rows);
        for (int row = block.start; row < block.end; row++) {
            CPixelLoops_compose(pixels + (ptrdiff_t)row * bytes_per_row, (size_t)columns, format, background, opaque);
            CPixelLoops_add_row(opaque, row == block.start, length, sums);
        }
        write_row(sums, 1, 3, block.end - block.start, blocks, width, target + (size_t)y * (size_t)width * 3);
    }
    free(blocks);
    free(sums);
    return true;
}

static inline void turn(
    const uint8_t *pixels, int width, int height, size_t channels, int quarters, bool is_mirrored, uint8_t *target
) {
    int columns = quarters % 2 ? height : width, rows = quarters % 2 ? width : height;
    for (int row = 0; row < rows; row++) {
        for (int place = 0; place < columns; place++, target += channels) {
            int column = is_mirrored ? columns - 1 - place : place;
            int x = quarters == 0 ? column : quarters == 1 ? row : quarters == 2 ? width - 1 - column : width - 1 - row;
            int y = quarters == 0 ? row : quarters == 1 ? height - 1 - column : quarters == 2 ? height - 1 - row : column;
            memcpy(target, pixels + channels * ((size_t)y * (size_t)width + (size_t)x), channels);
        }
    }
}

void CPixelLoops_turn(
    const uint8_t *pixels, int width, int height, int channels, int quarters, bool is_mirrored, uint8_t *target
) {
    // With a constant size, a pixel is copied without a call.
    if (channels == 1) turn(pixels, width, height, 1, quarters, is_mirrored, target);
    else turn(pixels, width, height, 3, quarters, is_mirrored, target);
}

static inline void place_row(const uint8_t *row, int count, int channels, uint8_t *target, ptrdiff_t step) {
    for (int pixel = 0; pixel < count; pixel++) {
        for (int channel = 0; channel < (channels == 1 ? 3 : channels); channel++)
            target[channel] = row[channels == 1 ? 0 : channel];
        row += channels;
        target += step;
    }
}

void CPixelLoops_place_row(const uint8_t *row, int count, int channels, uint8_t *target, ptrdiff_t step) {
    // With a constant size, a pixel is copied without a call.
    if (channels == 1) place_row(row, count, 1, target, step);
    else if (step == channels) memcpy(target, row, (size_t)count * (size_t)channels);
    else if (channels == 3) place_row(row, count, 3, target, step);
    else place_row(row, count, 4, target, step);
}
