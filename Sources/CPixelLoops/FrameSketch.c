// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"
#include "Wide.h"

#include <stdlib.h>
#include <string.h>

// The edge of a block in samples, and the largest distance over which its content is searched.
enum { block_edge = CPIXELLOOPS_SKETCH_BLOCK, search = 10 };

// Levels that differ by so much count as equal, because of noise.
enum { tolerance = 1 };

WIDE static void least_and_most(
    const uint8_t *restrict one, const uint8_t *restrict other, size_t count, uint8_t *restrict low, uint8_t *restrict high
) {
    for (size_t x = 0; x < count; x++) {
        low[x] = one[x] < low[x] ? one[x] : low[x];
        low[x] = other[x] < low[x] ? other[x] : low[x];
        high[x] = one[x] > high[x] ? one[x] : high[x];
        high[x] = other[x] > high[x] ? other[x] : high[x];
    }
}

bool CPixelLoops_find_ranges(const uint8_t *levels, int columns, int rows, uint8_t *low, uint8_t *high) {
    size_t width = (size_t)columns, size = width * (size_t)rows;
    uint8_t *lows = malloc(2 * size);
    if (!lows) return false;
    uint8_t *highs = lows + size;
    memcpy(lows, levels, size);
    memcpy(highs, levels, size);
    for (int y = 0; y < rows; y++) {
        size_t row = (size_t)y * width, above = y > 0 ? row - width : row, below = y + 1 < rows ? row + width : row;
        least_and_most(levels + above, levels + below, width, lows + row, highs + row);
    }
    memcpy(low, lows, size);
    memcpy(high, highs, size);
    for (size_t row = 0; row < size; row += width) {
        least_and_most(lows + row, lows + row + 1, width - 1, low + row, high + row);
        least_and_most(lows + row, lows + row, width - 1, low + row + 1, high + row + 1);
        least_and_most(highs + row, highs + row + 1, width - 1, low + row, high + row);
        least_and_most(highs + row, highs + row, width - 1, low + row + 1, high + row + 1);
    }
    for (size_t place = 0; place < size; place++) {
        low[place] = low[place] < tolerance ? 0 : (uint8_t)(low[place] - tolerance);
        high[place] = high[place] > 255 - tolerance ? 255 : (uint8_t)(high[place] + tolerance);
    }
    free(lows);
    return true;
}

// How far the levels of a block lie outside the ranges of another picture at a distance; `most` if it is more.
static int outside(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *other, int x, int y, int dx, int dy, int most
) {
    size_t columns = (size_t)frame->columns, size = columns * (size_t)frame->rows;
    size_t place = (size_t)y * columns + (size_t)x, moved = (size_t)(y + dy) * columns + (size_t)(x + dx);
    int sum = 0;
    for (int plane = 0; plane < frame->planes; plane++) {
        for (int row = 0; row < block_edge; row++) {
            size_t from = (size_t)plane * size + (size_t)row * columns;
            const uint8_t *levels = frame->levels + from + place;
            const uint8_t *low = other->low + from + moved, *high = other->high + from + moved;
            for (int column = 0; column < block_edge; column++) {
                int level = levels[column];
                sum += level < low[column] ? low[column] - level : level > high[column] ? level - high[column] : 0;
            }
        }
        if (sum >= most) return most;
    }
    return sum;
}

struct vector {
    int x, y;
};

struct block {
    int x, y;
    /// The sum of the best place so far, and a sum that is low enough to stop the search.
    int best, enough;
};

// Compares a block with one place of another picture. Returns whether the search can stop.
static bool try_place(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *other, struct block *block, int dx, int dy,
    struct vector *vector
) {
    if (block->x + dx < 0 || block->y + dy < 0 || block->x + dx + block_edge > frame->columns ||
        block->y + dy + block_edge > frame->rows)
        return false;
    int sum = outside(frame, other, block->x, block->y, dx, dy, block->best);
    if (sum < block->best) {
        block->best = sum;
        *vector = (struct vector){dx, dy};
    }
    return block->best <= block->enough;
}

// Compares a block with the places around it at a distance.
static bool try_ring(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *other, struct block *block, int distance,
    struct vector *vector
) {
    for (int step = -distance; step <= distance; step++) {
        if (try_place(frame, other, block, step, -distance, vector)) return true;
        if (try_place(frame, other, block, step, distance, vector)) return true;
    }
    for (int step = -distance + 1; step < distance; step++) {
        if (try_place(frame, other, block, -distance, step, vector)) return true;
        if (try_place(frame, other, block, distance, step, vector)) return true;
    }
    return false;
}

static void find_block(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *others, size_t count, struct vector *vectors,
    struct block *block
) {
    // Most blocks stand still, or move as the block before them.
    for (size_t index = 0; index < count; index++) {
        struct vector last = vectors[index];
        if (try_place(frame, &others[index], block, 0, 0, &vectors[index])) return;
        if (try_place(frame, &others[index], block, last.x, last.y, &vectors[index])) return;
    }
    for (int distance = 1; distance <= search; distance++)
        for (size_t index = 0; index < count; index++)
            if (try_ring(frame, &others[index], block, distance, &vectors[index])) return;
}

// The number of blocks along an edge; the last of them may overlap the one before it.
static int block_count(int length) { return (length + block_edge - 1) / block_edge; }

CPixelLoops_Likeness CPixelLoops_compare_sketches(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *others, size_t count, CPixelLoops_Likeness bounds
) {
    CPixelLoops_Likeness result = {0, 0, 0};
    struct vector vectors[2] = {{0, 0}, {0, 0}};
    const int samples = block_edge * block_edge;
    const int columns = block_count(frame->columns), rows = block_count(frame->rows);
    // The sums of the blocks of the row above, and of this row.
    int above[CPIXELLOOPS_SKETCH_EDGE] = {0}, sums[CPIXELLOOPS_SKETCH_EDGE] = {0};
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            struct block block = {
                column + 1 < columns ? column * block_edge : frame->columns - block_edge,
                row + 1 < rows ? row * block_edge : frame->rows - block_edge, INT32_MAX, samples / 4};
            find_block(frame, others, count, vectors, &block);
            sums[column] = block.best;
            double mean = (double)block.best / samples;
            if (mean > result.largest) result.largest = mean;
            result.mean += mean;
            if (row > 0 && column > 0) {
                double square =
                    (double)(above[column - 1] + above[column] + sums[column - 1] + sums[column]) / (4 * samples);
                if (square > result.largest_square) result.largest_square = square;
            }
            // Hostile frames would take long otherwise, because each block is searched everywhere.
            if (result.largest >= bounds.largest || result.largest_square >= bounds.largest_square ||
                result.mean >= bounds.mean * columns * rows)
                return (CPixelLoops_Likeness){bounds.largest, bounds.largest_square, bounds.mean};
        }
        memcpy(above, sums, sizeof above);
    }
    result.mean /= columns * rows;
    return result;
}
