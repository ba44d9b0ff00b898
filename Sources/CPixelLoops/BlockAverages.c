// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"
#include "Wide.h"

#include <stdlib.h>
#include <string.h>

static int sample_at(const CPixelLoops_Plane *plane, const uint8_t *row, int x) {
    if (plane->bytes == 1) return row[x * plane->step];
    uint16_t sample;
    memcpy(&sample, row + x * plane->step, sizeof sample);
    return (sample >> plane->shift) & ((1 << plane->depth) - 1);
}

// For each column of a few rows: the sum of the samples, of the differences to the column before it, and of those to the
// row before.
//
// Compilers make long loops over whole rows fast, so blocks are added up only once for many rows.
struct columns {
    uint32_t *level, *across, *down;
};

// Memory for the sums of a few rows, and for copies of two of them.
struct scratch {
    uint16_t *level, *across, *down;
    uint8_t *rows[2];
};

// The number of rows of bytes that fit into sums of 16 bits.
enum { rows_of_sums = 256 };

// Copies samples of bytes that have gaps between them.
static const uint8_t *packed(const CPixelLoops_Plane *plane, const uint8_t *row, uint8_t *restrict room) {
    if (plane->step == 1) return row;
    size_t step = (size_t)plane->step, width = (size_t)plane->width;
    // With a constant step, compilers make the loop many times faster.
    if (step == 4) for (size_t x = 0; x < width; x++) room[x] = row[4 * x];
    else if (step == 3) for (size_t x = 0; x < width; x++) room[x] = row[3 * x];
    else if (step == 2) for (size_t x = 0; x < width; x++) room[x] = row[2 * x];
    else for (size_t x = 0; x < width; x++) room[x] = row[step * x];
    return room;
}

static const uint8_t *row_at(const CPixelLoops_Plane *plane, int y, const struct scratch *scratch) {
    return packed(plane, plane->data + (ptrdiff_t)y * plane->bytes_per_row, scratch->rows[y % 2]);
}

WIDE static void add_differences(
    const uint8_t *restrict one, const uint8_t *restrict other, size_t count, uint16_t *restrict sums
) {
    for (size_t x = 0; x < count; x++) sums[x] += (uint8_t)(one[x] > other[x] ? one[x] - other[x] : other[x] - one[x]);
}

static void add_bytes(
    const CPixelLoops_Plane *plane, int from, int to, const struct columns *columns, const struct scratch *scratch
) {
    size_t width = (size_t)plane->width;
    memset(scratch->across, 0, width * sizeof *scratch->across);
    memset(scratch->down, 0, width * sizeof *scratch->down);
    const uint8_t *before = from > 0 ? row_at(plane, from - 1, scratch) : NULL;
    for (int y = from; y < to; y++) {
        const uint8_t *row = row_at(plane, y, scratch);
        CPixelLoops_add_row(row, y == from, width, scratch->level);
        add_differences(row + 1, row, width - 1, scratch->across + 1);
        if (before) add_differences(row, before, width, scratch->down);
        before = row;
    }
    CPixelLoops_collect(scratch->level, width, columns->level);
    CPixelLoops_collect(scratch->across, width, columns->across);
    CPixelLoops_collect(scratch->down, width, columns->down);
}

static void add_samples(const CPixelLoops_Plane *plane, int from, int to, const struct columns *columns) {
    for (int y = from; y < to; y++) {
        const uint8_t *row = plane->data + (ptrdiff_t)y * plane->bytes_per_row;
        const uint8_t *above = y > 0 ? row - plane->bytes_per_row : row;
        int before = sample_at(plane, row, 0);
        for (int x = 0; x < plane->width; x++) {
            int sample = sample_at(plane, row, x);
            columns->level[x] += (uint32_t)sample;
            columns->across[x] += (uint32_t)abs(sample - before);
            columns->down[x] += (uint32_t)abs(sample - sample_at(plane, above, x));
            before = sample;
        }
    }
}

// The mean of the columns of a block, in 1/64 of a level of 8 bits.
static uint16_t block_mean(const CPixelLoops_Plane *plane, const uint32_t *sums, CPixelLoops_Block block, uint64_t rows) {
    uint64_t sum = 0;
    for (int x = block.start; x < block.end; x++) sum += sums[x];
    return (uint16_t)((sum << 6 >> (plane->depth - 8)) / ((uint64_t)(block.end - block.start) * rows));
}

bool CPixelLoops_average_blocks(
    const CPixelLoops_Plane *plane, int columns_of_blocks, int rows_of_blocks, uint16_t *averages, uint16_t *details
) {
    size_t width = (size_t)plane->width;
    // Blocks of more rows than this, of samples of 16 bits, would not fit: no frame has a hundred million pixels.
    if (plane->height / rows_of_blocks >= 1 << 15) return false;
    uint32_t *sums = malloc(width * (3 * sizeof(uint32_t) + 3 * sizeof(uint16_t) + 2));
    if (!sums) return false;
    struct columns columns = {sums, sums + width, sums + 2 * width};
    uint16_t *halves = (uint16_t *)(sums + 3 * width);
    uint8_t *bytes = (uint8_t *)(halves + 3 * width);
    struct scratch scratch = {halves, halves + width, halves + 2 * width, {bytes, bytes + width}};
    size_t blocks = (size_t)columns_of_blocks * (size_t)rows_of_blocks, index = 0;
    for (int by = 0; by < rows_of_blocks; by++) {
        CPixelLoops_Block rows = CPixelLoops_block_at(by, rows_of_blocks, plane->height);
        memset(sums, 0, width * 3 * sizeof *sums);
        if (plane->bytes == 1) {
            for (int y = rows.start; y < rows.end; y += rows_of_sums) {
                int end = rows.end - y < rows_of_sums ? rows.end : y + rows_of_sums;
                add_bytes(plane, y, end, &columns, &scratch);
            }
        } else {
            add_samples(plane, rows.start, rows.end, &columns);
        }
        uint64_t height = (uint64_t)(rows.end - rows.start);
        for (int bx = 0; bx < columns_of_blocks; bx++, index++) {
            CPixelLoops_Block block = CPixelLoops_block_at(bx, columns_of_blocks, plane->width);
            averages[index] = block_mean(plane, columns.level, block, height);
            if (!details) continue;
            details[index] = block_mean(plane, columns.across, block, height);
            details[blocks + index] = block_mean(plane, columns.down, block, height);
        }
    }
    free(sums);
    return true;
}

CPixelLoops_SignatureDifference CPixelLoops_compare_signatures(
    const uint16_t *averages, const uint16_t *other_averages, size_t average_count, const uint16_t *details,
    const uint16_t *other_details, size_t detail_count, uint16_t change
) {
    CPixelLoops_SignatureDifference result = {0, 0, 0};
    for (size_t index = 0; index < average_count; index++) {
        uint16_t one = averages[index], other = other_averages[index];
        uint16_t distance = one > other ? one - other : other - one;
        if (distance > result.largest) result.largest = distance;
        result.sum += distance;
        result.changed_count += distance >= change;
    }
    for (size_t index = 0; index < detail_count; index++) {
        uint16_t one = details[index], other = other_details[index];
        uint16_t distance = one > other ? one - other : other - one;
        if (distance > result.largest) result.largest = distance;
    }
    return result;
}
