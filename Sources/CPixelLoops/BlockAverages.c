// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"

#include <stdlib.h>
#include <string.h>

static int sample_at(const CPixelLoops_Plane *plane, const uint8_t *row, int x) {
    if (plane->bytes == 1) return row[x * plane->step];
    uint16_t sample;
    memcpy(&sample, row + x * plane->step, sizeof sample);
    return (sample >> plane->shift) & ((1 << plane->depth) - 1);
}

// For each column of a few rows: the sum of the samples, and of the differences to the column before it.
//
// Compilers make long loops over whole rows fast, so blocks are added up only once for many rows.
struct columns {
    uint32_t *level, *change;
};

// The number of rows of bytes that fit into sums of 16 bits.
enum { rows_of_sums = 256 };

// Copies samples of bytes that have gaps between them.
static const uint8_t *packed(const CPixelLoops_Plane *plane, const uint8_t *row, uint8_t *restrict room) {
    if (plane->step == 1) return row;
    size_t step = (size_t)plane->step, width = (size_t)plane->width;
    // With a constant step, compilers make the loop many times faster.
    if (step == 4) for (size_t x = 0; x < width; x++) room[x] = row[4 * x];
    else if (step == 2) for (size_t x = 0; x < width; x++) room[x] = row[2 * x];
    else for (size_t x = 0; x < width; x++) room[x] = row[step * x];
    return room;
}

static void add_bytes(
    const CPixelLoops_Plane *plane, int from, int to, uint16_t *restrict level, uint16_t *restrict change,
    const struct columns *columns, uint8_t *room
) {
    size_t width = (size_t)plane->width;
    memset(change, 0, width * sizeof *change);
    for (int y = from; y < to; y++) {
        const uint8_t *row = packed(plane, plane->data + (ptrdiff_t)y * plane->bytes_per_row, room);
        CPixelLoops_add_row(row, y == from, width, level);
        for (size_t x = 1; x < width; x++) {
            uint8_t one = row[x - 1], other = row[x];
            change[x] += (uint8_t)(one > other ? one - other : other - one);
        }
    }
    CPixelLoops_collect(level, width, columns->level);
    CPixelLoops_collect(change, width, columns->change);
}

static void add_samples(const CPixelLoops_Plane *plane, int from, int to, const struct columns *columns) {
    for (int y = from; y < to; y++) {
        const uint8_t *row = plane->data + (ptrdiff_t)y * plane->bytes_per_row;
        int before = sample_at(plane, row, 0);
        for (int x = 0; x < plane->width; x++) {
            int sample = sample_at(plane, row, x);
            columns->level[x] += (uint32_t)sample;
            columns->change[x] += (uint32_t)abs(sample - before);
            before = sample;
        }
    }
}

bool CPixelLoops_average_blocks(
    const CPixelLoops_Plane *plane, int columns_of_blocks, int rows_of_blocks, uint16_t *averages, uint16_t *details
) {
    size_t width = (size_t)plane->width;
    // Blocks of more rows than this, of samples of 16 bits, would not fit: no frame has a hundred million pixels.
    if (plane->height / rows_of_blocks >= 1 << 15) return false;
    uint32_t *sums = malloc(width * (2 * sizeof(uint32_t) + 2 * sizeof(uint16_t) + 1));
    if (!sums) return false;
    struct columns columns = {sums, sums + width};
    uint16_t *level = (uint16_t *)(sums + 2 * width), *change = level + width;
    uint8_t *room = (uint8_t *)(change + width);
    for (int by = 0; by < rows_of_blocks; by++) {
        CPixelLoops_Block rows = CPixelLoops_block_at(by, rows_of_blocks, plane->height);
        memset(sums, 0, width * 2 * sizeof *sums);
        if (plane->bytes == 1) {
            for (int y = rows.start; y < rows.end; y += rows_of_sums) {
                int end = rows.end - y < rows_of_sums ? rows.end : y + rows_of_sums;
                add_bytes(plane, y, end, level, change, &columns, room);
            }
        } else {
            add_samples(plane, rows.start, rows.end, &columns);
        }
        for (int bx = 0; bx < columns_of_blocks; bx++) {
            CPixelLoops_Block block = CPixelLoops_block_at(bx, columns_of_blocks, plane->width);
            uint64_t levels = 0, changes = 0;
            for (int x = block.start; x < block.end; x++) {
                levels += columns.level[x];
                changes += columns.change[x];
            }
            uint64_t count = (uint64_t)(block.end - block.start) * (uint64_t)(rows.end - rows.start);
            averages[by * columns_of_blocks + bx] = (uint16_t)((levels << 6 >> (plane->depth - 8)) / count);
            if (details)
                details[by * columns_of_blocks + bx] = (uint16_t)((changes << 6 >> (plane->depth - 8)) / count);
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
