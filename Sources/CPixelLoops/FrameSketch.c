// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"
#include "Wide.h"

#include <stdlib.h>
#include <string.h>

enum { block_edge = CPIXELLOOPS_SKETCH_BLOCK, block_samples = block_edge * block_edge };

// Levels that differ by so much count as equal, because of noise.
enum { tolerance = 1 };

// The differences between neighbours in a block, and the unit of an activity, their mean: quarters of a level.
enum { differences = 2 * block_edge * (block_edge - 1), per_level = 4 };

// Activities that differ by this part count as equal, because encoders blur.
enum { activity_share = 4 };

// The mean of a block counts by this part, because it changes at the edges of what moves.
enum { mean_share = 4 };

// A cost that is low enough to stop the search: a quarter of a level for each sample.
enum { low_cost = block_samples / 4 };

// The cost of a block that moves unlike those around it: 1.25 levels for each sample.
enum { cost_of_lone_vector = block_samples * 5 / 4 };

// MARK: Description

// Takes a quarter of both neighbours and half of each sample, along one axis. Fine texture would be found everywhere.
WIDE static void smooth(const uint8_t *restrict before, const uint8_t *restrict at, const uint8_t *restrict after,
                        size_t count, uint8_t *restrict target) {
    for (size_t x = 0; x < count; x++) target[x] = (uint8_t)((before[x] + 2 * at[x] + after[x] + 2) / 4);
}

static void smooth_plane(uint8_t *levels, int columns, int rows, uint8_t *room) {
    size_t width = (size_t)columns;
    for (int y = 0; y < rows; y++) {
        const uint8_t *row = levels + (size_t)y * width;
        smooth(y > 0 ? row - width : row, row, y + 1 < rows ? row + width : row, width, room + (size_t)y * width);
    }
    for (int y = 0; y < rows; y++) {
        const uint8_t *row = room + (size_t)y * width;
        uint8_t *target = levels + (size_t)y * width;
        smooth(row, row + 1, row + 2, width - 2, target + 1);
        target[0] = (uint8_t)((3 * row[0] + row[1] + 2) / 4);
        target[width - 1] = (uint8_t)((row[width - 2] + 3 * row[width - 1] + 2) / 4);
    }
}

WIDE static void take_extremes(
    const uint8_t *restrict one, const uint8_t *restrict other, size_t count, uint8_t *restrict low, uint8_t *restrict high
) {
    for (size_t x = 0; x < count; x++) {
        low[x] = one[x] < low[x] ? one[x] : low[x];
        low[x] = other[x] < low[x] ? other[x] : low[x];
        high[x] = one[x] > high[x] ? one[x] : high[x];
        high[x] = other[x] > high[x] ? other[x] : high[x];
    }
}

WIDE static void widen(const uint8_t *restrict values, size_t count, int share, int allowance, uint8_t *restrict low,
                       uint8_t *restrict high) {
    for (size_t x = 0; x < count; x++) {
        int more = allowance + (share ? values[x] / share : 0);
        low[x] = (uint8_t)(low[x] < more ? 0 : low[x] - more);
        high[x] = (uint8_t)(high[x] > 255 - more ? 255 : high[x] + more);
    }
}

// Finds the range of the nine values around each value. Values may lie outside it by the allowance, and by a share of the
// value unless that is 0.
static void find_ranges(const uint8_t *values, int columns, int rows, int share, int allowance, uint8_t *low,
                        uint8_t *high, uint8_t *room) {
    size_t width = (size_t)columns, size = width * (size_t)rows;
    uint8_t *lows = room, *highs = room + size;
    memcpy(lows, values, size);
    memcpy(highs, values, size);
    for (int y = 0; y < rows; y++) {
        size_t row = (size_t)y * width, above = y > 0 ? row - width : row, below = y + 1 < rows ? row + width : row;
        take_extremes(values + above, values + below, width, lows + row, highs + row);
    }
    memcpy(low, lows, size);
    memcpy(high, highs, size);
    for (size_t row = 0; row < size; row += width) {
        take_extremes(lows + row, lows + row + 1, width - 1, low + row, high + row);
        take_extremes(lows + row, lows + row, width - 1, low + row + 1, high + row + 1);
        take_extremes(highs + row, highs + row + 1, width - 1, low + row, high + row);
        take_extremes(highs + row, highs + row, width - 1, low + row + 1, high + row + 1);
    }
    widen(values, size, share, allowance, low, high);
}

WIDE static void add(const uint16_t *restrict values, size_t count, uint16_t *restrict sums) {
    for (size_t at = 0; at < count; at++) sums[at] = (uint16_t)(sums[at] + values[at]);
}

WIDE static void find_differences(const uint8_t *restrict one, const uint8_t *restrict other, size_t count,
                                  uint16_t *restrict distances) {
    for (size_t at = 0; at < count; at++)
        distances[at] = one[at] > other[at] ? one[at] - other[at] : other[at] - one[at];
}

// Adds up a number of neighbours along both axes. Sums behind the last whole window stay zero.
static void sum_windows(const uint16_t *values, int columns, int rows, int wide, int high, uint16_t *sums,
                        uint16_t *room) {
    size_t width = (size_t)columns, size = width * (size_t)rows;
    memset(room, 0, size * sizeof *room);
    memset(sums, 0, size * sizeof *sums);
    for (size_t step = 0; step < (size_t)wide; step++) add(values + step, size - step, room);
    for (size_t step = 0; step < (size_t)high; step++) add(room + step * width, size - step * width, sums);
}

static uint8_t mean_of_levels(int sum) { return (uint8_t)((sum + block_samples / 2) / block_samples); }

static uint8_t mean_of_differences(int sum) {
    int mean = (sum * per_level + differences / 2) / differences;
    return (uint8_t)(mean > 255 ? 255 : mean);
}

// Gives places at the edges, where no whole block begins, the value of the nearest place where one does.
static void extend_places(uint8_t *values, int columns, int rows) {
    size_t width = (size_t)columns, last = width - block_edge;
    for (int y = 0; y < rows; y++) {
        uint8_t *row = values + (size_t)y * width;
        if (y > rows - block_edge) memcpy(row, row - width, width);
        else memset(row + last + 1, row[last], width - last - 1);
    }
}

static void find_means(const uint8_t *levels, int columns, int rows, uint16_t *room, uint8_t *means,
                       uint8_t *activities) {
    size_t width = (size_t)columns, size = width * (size_t)rows;
    uint16_t *values = room, *sums = room + size, *between = room + 2 * size, *more = room + 3 * size;
    for (size_t at = 0; at < size; at++) values[at] = levels[at];
    sum_windows(values, columns, rows, block_edge, block_edge, sums, between);
    for (size_t at = 0; at < size; at++) means[at] = mean_of_levels(sums[at]);
    find_differences(levels, levels + 1, size - 1, values);
    values[size - 1] = 0;
    sum_windows(values, columns, rows, block_edge - 1, block_edge, sums, between);
    find_differences(levels, levels + width, size - width, values);
    memset(values + size - width, 0, width * sizeof *values);
    sum_windows(values, columns, rows, block_edge, block_edge - 1, more, between);
    for (size_t at = 0; at < size; at++) activities[at] = mean_of_differences(sums[at] + more[at]);
    extend_places(means, columns, rows);
    extend_places(activities, columns, rows);
}

bool CPixelLoops_smooth_sketch(uint8_t *levels, int columns, int rows, int planes) {
    size_t size = (size_t)columns * (size_t)rows;
    uint8_t *room = malloc(size);
    if (!room) return false;
    for (int plane = 0; plane < planes; plane++) smooth_plane(levels + (size_t)plane * size, columns, rows, room);
    free(room);
    return true;
}

bool CPixelLoops_find_sketch_ranges(const uint8_t *levels, int columns, int rows, int planes, uint8_t *ranges) {
    size_t size = (size_t)columns * (size_t)rows, all = size * (size_t)planes;
    uint8_t *room = malloc(size * 12);
    if (!room) return false;
    uint8_t *means = room + 2 * size, *activities = room + 3 * size;
    for (int plane = 0; plane < planes; plane++) {
        const uint8_t *from = levels + (size_t)plane * size;
        uint8_t *range = ranges + (size_t)plane * size;
        find_ranges(from, columns, rows, 0, tolerance, range, range + all, room);
        find_means(from, columns, rows, (uint16_t *)(void *)(room + 4 * size), means, activities);
        find_ranges(means, columns, rows, 0, tolerance, range + 2 * all, range + 3 * all, room);
        find_ranges(activities, columns, rows, activity_share, per_level, range + 4 * all, range + 5 * all, room);
    }
    free(room);
    return true;
}

// MARK: Comparison

struct vector {
    int picture, x, y;
};

struct block {
    int x, y;
    int means[CPIXELLOOPS_SKETCH_PLANES], activities[CPIXELLOOPS_SKETCH_PLANES];
    /// The cost of the best place so far.
    int best;
    /// Whether all places were tried.
    bool is_searched;
    struct vector vector;
    /// The costs and the vectors of the best place in each picture.
    int bests[2];
    struct vector vectors[2];
    /// The blocks around it that were found already.
    const struct vector *neighbors;
    int neighbor_count;
};

static int distance_from(int value, int low, int high) { return value < low ? low - value : value > high ? value - high : 0; }

static struct block describe_block(const CPixelLoops_Sketch *frame, int x, int y) {
    struct block block = {.x = x, .y = y, .best = INT32_MAX, .bests = {INT32_MAX, INT32_MAX}};
    size_t width = (size_t)frame->columns, size = width * (size_t)frame->rows;
    for (int plane = 0; plane < frame->planes; plane++) {
        const uint8_t *levels = frame->levels + (size_t)plane * size + (size_t)y * width + (size_t)x;
        int sum = 0, difference = 0;
        for (int row = 0; row < block_edge; row++) {
            const uint8_t *at = levels + (size_t)row * width;
            for (int column = 0; column < block_edge; column++) {
                sum += at[column];
                if (column + 1 < block_edge) difference += abs(at[column] - at[column + 1]);
                if (row + 1 < block_edge) difference += abs(at[column] - at[column + (int)width]);
            }
        }
        block.means[plane] = mean_of_levels(sum);
        block.activities[plane] = mean_of_differences(difference);
    }
    return block;
}

// A block that moves unlike those around it costs more: exchanged blocks would show another picture otherwise.
static int cost_of_vector(const struct block *block, struct vector vector) {
    if (abs(vector.x) <= 1 && abs(vector.y) <= 1) return 0;
    for (int index = 0; index < block->neighbor_count; index++) {
        struct vector other = block->neighbors[index];
        if (other.picture == vector.picture && abs(other.x - vector.x) <= 1 && abs(other.y - vector.y) <= 1) return 0;
    }
    return cost_of_lone_vector;
}

// How far the samples of a block lie outside the ranges of another picture; at least `most` if it is more.
static int cost_of_levels(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *other, const struct block *block, size_t moved, int cost,
    int most
) {
    size_t columns = (size_t)frame->columns, size = columns * (size_t)frame->rows;
    size_t place = (size_t)block->y * columns + (size_t)block->x;
    for (int plane = 0; plane < frame->planes && cost < most; plane++) {
        for (int row = 0; row < block_edge; row++) {
            size_t from = (size_t)plane * size + (size_t)row * columns;
            const uint8_t *levels = frame->levels + from + place;
            const uint8_t *low = other->low + from + moved, *high = other->high + from + moved;
            for (int column = 0; column < block_edge; column++)
                cost += distance_from(levels[column], low[column], high[column]);
        }
    }
    return cost;
}

// How far the means and the activities of a block lie outside the ranges of a place in another picture.
static int cost_of_means(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *other, const struct block *block, size_t place
) {
    size_t size = (size_t)frame->columns * (size_t)frame->rows;
    int cost = 0;
    for (int plane = 0; plane < frame->planes; plane++) {
        size_t at = (size_t)plane * size + place;
        cost += distance_from(block->means[plane], other->mean_low[at], other->mean_high[at]) * block_samples / mean_share;
        cost += distance_from(block->activities[plane], other->activity_low[at], other->activity_high[at]) *
                block_samples / per_level;
    }
    return cost;
}

// Compares a block with a place of another picture. Returns whether the search can stop.
static bool try_place(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *others, struct block *block, struct vector vector
) {
    int x = block->x + vector.x, y = block->y + vector.y;
    if (x < 0 || y < 0 || x + block_edge > frame->columns || y + block_edge > frame->rows) return false;
    const CPixelLoops_Sketch *other = &others[vector.picture];
    size_t place = (size_t)y * (size_t)frame->columns + (size_t)x;
    int cost = cost_of_vector(block, vector) + cost_of_means(frame, other, block, place);
    int *best = &block->bests[vector.picture];
    if (cost < *best) cost = cost_of_levels(frame, other, block, place, cost, *best);
    if (cost < *best) {
        *best = cost;
        block->vectors[vector.picture] = vector;
    }
    if (cost < block->best) {
        block->best = cost;
        block->vector = vector;
    }
    return block->best <= low_cost;
}

// Compares a block with the places around it at a distance.
static bool try_ring(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *others, struct block *block, int picture, int distance
) {
    for (int step = -distance; step <= distance; step++) {
        if (try_place(frame, others, block, (struct vector){picture, step, -distance})) return true;
        if (try_place(frame, others, block, (struct vector){picture, step, distance})) return true;
    }
    for (int step = -distance + 1; step < distance; step++) {
        if (try_place(frame, others, block, (struct vector){picture, -distance, step})) return true;
        if (try_place(frame, others, block, (struct vector){picture, distance, step})) return true;
    }
    return false;
}

// Takes each sample from the picture that has the nearer level: something that moves covers a part of both pictures.
static void try_both(const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *others, struct block *block) {
    size_t columns = (size_t)frame->columns, size = columns * (size_t)frame->rows;
    size_t place = (size_t)block->y * columns + (size_t)block->x, moved[2];
    int charge = 0, means = INT32_MAX;
    for (int picture = 0; picture < 2; picture++) {
        struct vector vector = block->vectors[picture];
        moved[picture] = (size_t)(block->y + vector.y) * columns + (size_t)(block->x + vector.x);
        int vector_cost = cost_of_vector(block, vector);
        int mean_cost = cost_of_means(frame, &others[picture], block, moved[picture]);
        charge = vector_cost > charge ? vector_cost : charge;
        means = mean_cost < means ? mean_cost : means;
    }
    // Ranges alone would take any content for stripes or texture of high contrast.
    int cost = charge + means;
    for (int plane = 0; plane < frame->planes; plane++) {
        for (int row = 0; row < block_edge; row++) {
            size_t from = (size_t)plane * size + (size_t)row * columns;
            for (int column = 0; column < block_edge; column++) {
                int level = frame->levels[from + place + (size_t)column], nearest = 255;
                for (int picture = 0; picture < 2; picture++) {
                    size_t at = from + moved[picture] + (size_t)column;
                    int distance = distance_from(level, others[picture].low[at], others[picture].high[at]);
                    if (distance < nearest) nearest = distance;
                }
                cost += nearest;
            }
        }
    }
    if (cost < block->best) block->best = cost;
}

static void find_block(
    const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *others, int count, struct block *block
) {
    // Most blocks stand still, or move as the blocks around them.
    for (int picture = 0; picture < count; picture++)
        if (try_place(frame, others, block, (struct vector){picture, 0, 0})) return;
    for (int index = 0; index < block->neighbor_count; index++)
        if (try_place(frame, others, block, block->neighbors[index])) return;
    for (int distance = 1; distance <= CPIXELLOOPS_SKETCH_SEARCH; distance++)
        for (int picture = 0; picture < count; picture++)
            if (try_ring(frame, others, block, picture, distance)) return;
    block->is_searched = true;
    if (count == 2) try_both(frame, others, block);
}

// The number of blocks along an edge; the last of them may overlap the block before it.
static int block_count(int length) { return (length + block_edge - 1) / block_edge; }

// Whether blocks with these costs show what another picture shows. Costs are per sample.
static bool is_cheap(double block, double square, double all) { return block < 3 && square < 1.2 && all < 0.15; }

bool CPixelLoops_is_like(const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *others, int count) {
    const int columns = block_count(frame->columns), rows = block_count(frame->rows);
    // The vectors and the costs of the blocks of the row above, and of this row.
    struct vector vectors_above[CPIXELLOOPS_SKETCH_EDGE], vectors[CPIXELLOOPS_SKETCH_EDGE];
    int above[CPIXELLOOPS_SKETCH_EDGE] = {0}, costs[CPIXELLOOPS_SKETCH_EDGE] = {0};
    double sum = 0;
    int searched_count = 0;
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            struct block block = describe_block(
                frame, column + 1 < columns ? column * block_edge : frame->columns - block_edge,
                row + 1 < rows ? row * block_edge : frame->rows - block_edge);
            struct vector neighbors[4];
            if (column > 0) neighbors[block.neighbor_count++] = vectors[column - 1];
            for (int other = column - 1; row > 0 && other <= column + 1; other++)
                if (other >= 0 && other < columns) neighbors[block.neighbor_count++] = vectors_above[other];
            block.neighbors = neighbors;
            find_block(frame, others, count, &block);
            vectors[column] = block.vector;
            costs[column] = block.best;
            sum += block.best;
            searched_count += block.is_searched;
            int square =
                row > 0 && column > 0 ? above[column - 1] + above[column] + costs[column - 1] + costs[column] : 0;
            bool shows_nothing_new = is_cheap(
                (double)block.best / block_samples, (double)square / (4 * block_samples),
                sum / (block_samples * columns * rows));
            // Hostile frames would take long otherwise, because each block is searched everywhere.
            if (!shows_nothing_new || searched_count > columns * rows / 3) return false;
        }
        memcpy(above, costs, sizeof above);
        memcpy(vectors_above, vectors, sizeof vectors_above);
    }
    return true;
}
