// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Three corners of a QR code have a finder pattern: a square core of three modules, a ring of one module, and another
// ring, so every line through its middle has runs of 1, 1, 3, 1 and 1 modules (ISO/IEC 18004). Looking for these runs in
// every few rows takes a hundredth of the time in which ZBar scans the picture.

#include "CZBarShims.h"
#include "CPixelLoops.h"
#include "Grey.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    /// The least difference between neighbouring runs, in levels.
    LEAST_CONTRAST = 10,
    /// A code whose modules are smaller than this share of the shorter side is not looked for.
    MODULES_OF_SHORTER_SIDE = 387,
    SHORTEST_SIDE = 58,
    MOST_FINDERS = 1024,
    MOST_COMBINED_FINDERS = 256,
    MOST_AREAS = 1024,
    /// The number of guesses that are compared with the picture, at each size.
    MOST_COMPARED_GUESSES = 4096,
};

/// The least likeness of an area to a code. Nearly all codes that can be read have 0.6 or more, and planks or leaves less
/// than 0.5; where a module has less than two pixels, those have more often.
static const float least_likeness = 0.5f, least_likeness_of_small_modules = 0.55f;

/// The most that one direction of a code is longer than the other one.
#define MOST_STRETCHING 2.4f

/// A grey picture without padding.
typedef struct {
    uint8_t *levels;
    int width, height;
} Grey;

/// A place that looks like a finder pattern.
typedef struct {
    float x, y, module;
    bool is_dark;
    /// The level between that of the core and that of the ring, and the difference of both.
    float middle, contrast;
    /// The number of rows in which it was seen.
    int row_count;
} Finder;

/// A line of pixels: a row, a column or a diagonal.
typedef struct {
    const uint8_t *first;
    ptrdiff_t step;
    int count;
} Line;

static uint8_t level(Line line, int index) { return line.first[index * line.step]; }

/// The place between two neighbouring pixels at which the level is passed.
static float crossing(Line line, int index, float middle) {
    float one = level(line, index), other = level(line, index + 1);
    return one == other ? (float)index + 0.5f : (float)index + (middle - one) / (other - one);
}

/// The length of the run that begins at a place, in a direction, up to a limit; -1 if it is longer, or the line ends.
static int run_length(Line line, int from, int direction, bool is_dark, float middle, int most) {
    for (int length = 0; length <= most; length++) {
        int index = from + direction * length;
        if (index < 0 || index >= line.count) return -1;
        if ((level(line, index) < middle) != is_dark) return length;
    }
    return -1;
}

/// Whether a line through a core has the runs of a finder pattern.
///
/// - Parameters:
///   - at: a place in the core; then the middle of the core.
///   - module: the expected length of a module; then the length that was found.
static bool is_finder(Line line, float *at, bool is_dark, float middle, float *module) {
    int start = (int)(*at + 0.5f);
    if (start < 0 || start >= line.count || (level(line, start) < middle) != is_dark) return false;
    const int most_of_core = (int)(*module * 3.3f) + 2, most_of_ring = (int)(*module * 2.8f) + 2;
    // For both directions: the ends of the core, of the ring and of the outer ring.
    float ends[2][3];
    for (int side = 0; side < 2; side++) {
        const int direction = side ? 1 : -1;
        int core = run_length(line, start, direction, is_dark, middle, most_of_core);
        if (core < 0) return false;
        int place = start + direction * core;
        int ring = run_length(line, place, direction, !is_dark, middle, most_of_ring);
        if (ring < 0) return false;
        ends[side][0] = crossing(line, side ? place - 1 : place, middle);
        place += direction * ring;
        ends[side][1] = crossing(line, side ? place - 1 : place, middle);
        // The outer ring may continue in the surroundings of the code.
        int outer = run_length(line, place, direction, is_dark, middle, most_of_ring);
        ends[side][2] = outer < 0 ? ends[side][1] + (float)direction * *module : (float)(place + direction * outer);
    }
    const float core = ends[1][0] - ends[0][0], rings[] = {ends[0][0] - ends[0][1], ends[1][1] - ends[1][0]};
    const float outer[] = {ends[0][1] - ends[0][2], ends[1][2] - ends[1][1]};
    const float found = (core + rings[0] + rings[1]) / 5;
    if (found < *module / MOST_STRETCHING || found > *module * MOST_STRETCHING) return false;
    if (fabsf(core - 3 * found) > 1.3f * found) return false;
    for (int side = 0; side < 2; side++)
        if (fabsf(rings[side] - found) > 0.75f * found || outer[side] < 0.3f * found) return false;
    *at = (ends[0][0] + ends[1][0]) / 2;
    *module = found;
    return true;
}

/// Whether a diagonal through a core has the runs of a finder pattern; in whole pixels, so with more tolerance.
static bool has_diagonal(Grey grey, float x, float y, int direction, bool is_dark, float middle, float module) {
    const int column = (int)(x + 0.5f), row = (int)(y + 0.5f), most = (int)(module * 3.2f) + 2;
    if (column < 0 || column >= grey.width || row < 0 || row >= grey.height) return false;
    float core = 0, rings[2];
    for (int side = 0; side < 2; side++) {
        const int down = side ? 1 : -1, right = side ? direction : -direction;
        const int to_edge = right > 0 ? grey.width - 1 - column : column, to_end = down > 0 ? grey.height - 1 - row : row;
        const Line line = {grey.levels + (ptrdiff_t)row * grey.width + column, (ptrdiff_t)down * grey.width + right,
                           (to_edge < to_end ? to_edge : to_end) + 1};
        int length = run_length(line, 0, 1, is_dark, middle, most);
        if (length < 0) return false;
        int ring = run_length(line, length, 1, !is_dark, middle, most);
        if (ring < 0) return false;
        core += (float)length - 0.5f;
        rings[side] = (float)ring;
    }
    const float found = (core + rings[0] + rings[1]) / 5, slack = 1.2f;
    if (found < module * 0.35f || found > module * 2 || fabsf(core - 3 * found) > 1.5f * found + slack) return false;
    return fabsf(rings[0] - found) <= 0.8f * found + 0.7f * slack && fabsf(rings[1] - found) <= 0.8f * found + 0.7f * slack;
}

static int add(Finder *finders, int count, Finder new) {
    for (int index = 0; index < count; index++) {
        Finder *known = finders + index;
        if (known->is_dark == new.is_dark && fabsf(known->x - new.x) < 2.5f * new.module &&
            fabsf(known->y - new.y) < 2.5f * new.module && known->module < new.module * 1.8f &&
            known->module > new.module / 1.8f) {
            known->row_count++;
            return count;
        }
    }
    if (count < MOST_FINDERS) finders[count++] = new;
    return count;
}

/// The places of the extremes in a row, each of which differs from the one before by the least contrast or more.
static int extremes(Line row, int *places) {
    int count = 0, lowest = 0, highest = 0, direction = 0;
    for (int index = 1; index < row.count; index++) {
        const int here = level(row, index);
        if (direction >= 0 && here > level(row, highest)) highest = index;
        if (direction <= 0 && here < level(row, lowest)) lowest = index;
        if (direction >= 0 && here <= level(row, highest) - LEAST_CONTRAST) {
            places[count++] = highest;
            direction = -1;
            lowest = index;
        } else if (direction <= 0 && here >= level(row, lowest) + LEAST_CONTRAST) {
            places[count++] = lowest;
            direction = 1;
            highest = index;
        }
    }
    places[count++] = direction > 0 ? highest : lowest;
    return count;
}

/// The edge between two extremes: the place at which the level half-way between them is passed.
static float edge(Line row, int one, int other) {
    const float middle = ((float)level(row, one) + level(row, other)) / 2;
    const bool rises = level(row, other) > level(row, one);
    for (int index = one; index < other; index++)
        if (rises ? level(row, index + 1) > middle : level(row, index + 1) < middle) return crossing(row, index, middle);
    return (float)(one + other) / 2;
}

/// Looks for finder patterns in rows. Noise may hide one of the two diagonals.
///
/// - Parameters:
///   - places, edges: room for as many values as a row has pixels, and one more.
static int find_finders(Grey grey, Finder *finders, int *places, float *edges) {
    const int shorter = grey.width < grey.height ? grey.width : grey.height;
    const float least = fmaxf(1, (float)shorter / MODULES_OF_SHORTER_SIDE);
    // A core is three modules high, so some of these rows pass through it.
    const int distance = least < 2 ? 2 : (int)least;
    int count = 0;
    for (int y = 0; y < grey.height; y += distance) {
        const Line row = {grey.levels + (ptrdiff_t)y * grey.width, 1, grey.width};
        const int number = extremes(row, places);
        for (int index = 0; index + 1 < number; index++) edges[index] = edge(row, places[index], places[index + 1]);
        // The run around an extreme lies between two edges.
        for (int core = 3; core + 3 < number; core++) {
            float runs[5];
            for (int run = 0; run < 5; run++) runs[run] = edges[core - 2 + run] - edges[core - 3 + run];
            float module = (runs[1] + runs[2] + runs[3]) / 5;
            if (module < least || module > (float)grey.width / 9) continue;
            if (fabsf(runs[1] - module) > 0.7f * module || fabsf(runs[3] - module) > 0.7f * module ||
                fabsf(runs[2] - 3 * module) > 1.3f * module || runs[0] < 0.35f * module || runs[4] < 0.35f * module)
                continue;
            // One side of the outer ring may continue in the surroundings of the code.
            if (fabsf(runs[0] - module) > module && fabsf(runs[4] - module) > module) continue;
            const float inside = level(row, places[core]);
            const float ring = ((float)level(row, places[core - 1]) + level(row, places[core + 1])) / 2;
            const float middle = (inside + ring) / 2;
            const bool is_dark = inside < ring;
            float x = (edges[core - 1] + edges[core]) / 2, vertical = (float)y, of_column = module;
            const int column = (int)(x + 0.5f);
            if (column < 0 || column >= grey.width) continue;
            const Line down = {grey.levels + column, grey.width, grey.height};
            if (!is_finder(down, &vertical, is_dark, middle, &of_column)) continue;
            const int middle_row = (int)(vertical + 0.5f);
            if (middle_row < 0 || middle_row >= grey.height) continue;
            const Line across = {grey.levels + (ptrdiff_t)middle_row * grey.width, 1, grey.width};
            float of_row = of_column;
            if (!is_finder(across, &x, is_dark, middle, &of_row)) continue;
            const float mean = (of_row + of_column) / 2;
            if (!has_diagonal(grey, x, vertical, 1, is_dark, middle, mean) &&
                !has_diagonal(grey, x, vertical, -1, is_dark, middle, mean))
                continue;
            count = add(finders, count, (Finder){x, vertical, mean, is_dark, middle, fabsf(inside - ring), 1});
        }
    }
    return count;
}

static int by_row_count(const void *one, const void *other) {
    return ((const Finder *)other)->row_count - ((const Finder *)one)->row_count;
}

static int by_likeness(const void *one, const void *other) {
    const float difference = ((const CZBarShims_Area *)other)->likeness - ((const CZBarShims_Area *)one)->likeness;
    return difference < 0 ? -1 : difference > 0;
}

/// Whether two finder patterns can be those at the ends of an edge of a code of 21 to 45 modules, in similar light.
static bool make_edge(Finder one, Finder other, float *length) {
    const float ratio = other.module / one.module, module = (one.module + other.module) / 2;
    *length = hypotf(other.x - one.x, other.y - one.y);
    const float contrast = (one.contrast + other.contrast) / 2;
    if (fabsf(one.middle - other.middle) > contrast / 2 || fabsf(one.contrast - other.contrast) > contrast) return false;
    // A row through a turned pattern is longer than a module, by a factor of 1.4 at most.
    return one.is_dark == other.is_dark && ratio < 1.6f && ratio > 1 / 1.6f && *length > 9 * module && *length < 40 * module;
}

/// The step from a module to the next one, in pixels.
typedef struct {
    float x, y;
} Step;

/// The correlation between the levels at a corner of a code and its modules there, from -1 to 1.
///
/// - Parameters:
///   - first_across, first_down: the first of eight modules in each direction, of which the finder pattern has seven; the
///     eighth is the light one between it and the data.
static float correlation(Grey grey, const Finder *finder, Step across, Step down, int first_across, int first_down) {
    int sum = 0, squares = 0, light_sum = 0, count = 0, light_count = 0;
    for (int v = first_down; v < first_down + 8; v++) {
        float x = finder->x + (float)v * down.x + (float)first_across * across.x + 0.5f;
        float y = finder->y + (float)v * down.y + (float)first_across * across.y + 0.5f;
        for (int u = first_across; u < first_across + 8; u++, x += across.x, y += across.y) {
            if (x < 0 || y < 0 || (int)x >= grey.width || (int)y >= grey.height) continue;
            const int ring = abs(u) > abs(v) ? abs(u) : abs(v), level = grey.levels[(ptrdiff_t)(int)y * grey.width + (int)x];
            const int is_light = ring == 2 || ring == 4;
            sum += level;
            squares += level * level;
            light_sum += is_light * level;
            light_count += is_light;
            count++;
        }
    }
    if (count < 32) return -1;
    const float number = (float)count, mean = (float)sum / number;
    const float variance = (float)squares - mean * (float)sum;
    const float of_modules = (float)light_count * (1 - (float)light_count / number);
    if (variance < 1 || of_modules < 1) return -1;
    const float result = ((float)light_sum - mean * (float)light_count) / sqrtf(variance * of_modules);
    return finder->is_dark ? result : -result;
}

/// The correlation at one of three corners of a code.
///
/// - Parameters:
///   - modules: the modules between the middles of two corners.
///   - wide, high: the size of the modules at this corner, as a share of the mean size in each direction.
static float corner_correlation(Grey grey, const Finder corners[3], int index, int modules, float wide, float high) {
    const float across = wide / (float)modules, down = high / (float)modules;
    return correlation(
        grey, corners + index, (Step){(corners[1].x - corners[0].x) * across, (corners[1].y - corners[0].y) * across},
        (Step){(corners[2].x - corners[0].x) * down, (corners[2].y - corners[0].y) * down}, index == 1 ? -4 : -3,
        index == 2 ? -4 : -3);
}

/// How well the picture at three finder patterns agrees with the corners of a code of 21 to 45 modules, from -1 to 1.
///
/// - Parameter seen: the modules between the middles of two corners, by the size of the modules in rows and columns, which
///   is larger by up to 1.4 in a turned code.
static float likeness(Grey grey, const Finder corners[3], float seen) {
    float best_sum = -3;
    int modules = 14;
    for (int other = 14; other <= 38; other += 4) {
        if ((float)other < 0.85f * seen || (float)other > 1.55f * seen) continue;
        // Most guesses are wrong, which the first corner shows.
        const float first = corner_correlation(grey, corners, 0, other, 1, 1);
        if (first < 0) continue;
        const float sum = first + corner_correlation(grey, corners, 1, other, 1, 1) +
            corner_correlation(grey, corners, 2, other, 1, 1);
        if (sum <= best_sum) continue;
        best_sum = sum;
        modules = other;
    }
    if (best_sum < 3 * 0.22f) return -1;
    // The size of a small module changes nothing.
    const float length = hypotf(corners[1].x - corners[0].x, corners[1].y - corners[0].y);
    if (length < 1.4f * (float)modules) return best_sum / 3;
    // In perspective, the modules at the corners differ in size, and their sums above are as low as 0.24.
    static const float sizes[] = {1, 0.8f, 1.25f};
    float mean = 0;
    for (int index = 0; index < 3; index++) {
        float best = -1;
        for (int size = 0; size < 9; size++)
            best = fmaxf(best, corner_correlation(grey, corners, index, modules, sizes[size / 3], sizes[size % 3]));
        mean += best / 3;
    }
    return mean;
}

/// A finder pattern that may lie at the other end of an edge of a code.
typedef struct {
    Finder finder;
    float length;
} Edge;

/// Adds the areas in which three finder patterns lie like the corners of a square, sheared or not, and look like them.
static int add_guesses(Grey grey, const Finder *finders, int count, int factor, CZBarShims_Area *guesses, int guess_count) {
    int compared = 0;
    Edge edges[MOST_COMBINED_FINDERS];
    for (int at = 0; at < count; at++) {
        const Finder corner = finders[at];
        int edge_count = 0;
        for (int other = 0; other < count; other++) {
            Edge *edge = edges + edge_count;
            edge->finder = finders[other];
            if (other != at && make_edge(corner, edge->finder, &edge->length)) edge_count++;
        }
        for (int one = 0; one < edge_count; one++) {
            for (int two = one + 1; two < edge_count; two++) {
                const Finder a = edges[one].finder, b = edges[two].finder;
                const float length = edges[one].length, other = edges[two].length;
                const float ratio = length / other;
                const float cosine = ((a.x - corner.x) * (b.x - corner.x) + (a.y - corner.y) * (b.y - corner.y)) / (length * other);
                if (ratio > MOST_STRETCHING || ratio < 1 / MOST_STRETCHING || fabsf(cosine) > 0.72f) continue;
                if (guess_count == MOST_AREAS || compared++ == MOST_COMPARED_GUESSES) return guess_count;
                const float mean = (length + other) / 2, seen = (corner.module + a.module + b.module) / 3;
                const float found = likeness(grey, (Finder[]){corner, a, b}, mean / seen);
                // The edges of a code with 29 modules have 22 between the middles of their finder patterns.
                const float module = mean / 22;
                if (found < (module < 2 ? least_likeness_of_small_modules : least_likeness)) continue;
                const float last_x = a.x + b.x - corner.x, last_y = a.y + b.y - corner.y, margin = 9 * module;
                const float left = fminf(fminf(corner.x, last_x), fminf(a.x, b.x)) - margin;
                const float right = fmaxf(fmaxf(corner.x, last_x), fmaxf(a.x, b.x)) + margin;
                const float top = fminf(fminf(corner.y, last_y), fminf(a.y, b.y)) - margin;
                const float bottom = fmaxf(fmaxf(corner.y, last_y), fmaxf(a.y, b.y)) + margin;
                const float scale = (float)factor;
                guesses[guess_count++] = (CZBarShims_Area){
                    left * scale, top * scale, (right - left) * scale, (bottom - top) * scale, module * scale, found,
                    corner.is_dark};
            }
        }
    }
    return guess_count;
}

/// Whether two areas are nearly the same.
static bool overlap(CZBarShims_Area one, CZBarShims_Area other) {
    const float width = fminf(one.left + one.width, other.left + other.width) - fmaxf(one.left, other.left);
    const float height = fminf(one.top + one.height, other.top + other.height) - fmaxf(one.top, other.top);
    if (width <= 0 || height <= 0) return false;
    const float both = width * height;
    return both > 0.7f * (one.width * one.height + other.width * other.height - both);
}

/// Halves a picture in its own memory.
static void halve(Grey *grey) {
    const int width = grey->width / 2, height = grey->height / 2;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const uint8_t *first = grey->levels + (ptrdiff_t)2 * y * grey->width + 2 * x;
            grey->levels[(ptrdiff_t)y * width + x] =
                (uint8_t)((first[0] + first[1] + first[grey->width] + first[grey->width + 1] + 2) / 4);
        }
    }
    grey->width = width;
    grey->height = height;
}

int CZBarShims_find_code_areas(
    const uint8_t *pixels, int width, int height, CZBarShims_Area *areas, int capacity) {
    if (width < 1 || height < 1) return 0;
    Grey grey = {malloc((size_t)width * (size_t)height), width, height};
    Finder *finders = malloc(MOST_FINDERS * sizeof *finders);
    CZBarShims_Area *guesses = malloc(MOST_AREAS * sizeof *guesses);
    int *places = malloc(((size_t)width + 1) * sizeof *places);
    float *edges = malloc(((size_t)width + 1) * sizeof *edges);
    int count = -1;
    if (grey.levels && finders && guesses && places && edges) {
        const size_t pixel_count = (size_t)width * (size_t)height;
        CZBarShims_make_grey(grey.levels, pixels, pixel_count);
        // The contrast of a faint picture is raised.
        CPixelLoops_spread_levels(grey.levels, pixel_count, 1, 128);
        int guess_count = 0;
        for (int factor = 1; grey.width >= SHORTEST_SIDE && grey.height >= SHORTEST_SIDE; factor *= 2) {
            int number = find_finders(grey, finders, places, edges);
            qsort(finders, (size_t)number, sizeof *finders, by_row_count);
            if (number > MOST_COMBINED_FINDERS) number = MOST_COMBINED_FINDERS;
            guess_count = add_guesses(grey, finders, number, factor, guesses, guess_count);
            halve(&grey);
        }
        qsort(guesses, (size_t)guess_count, sizeof *guesses, by_likeness);
        count = 0;
        for (int index = 0; index < guess_count && count < capacity; index++) {
            bool is_known = false;
            for (int known = 0; known < count; known++) is_known = is_known || overlap(areas[known], guesses[index]);
            if (!is_known) areas[count++] = guesses[index];
        }
    }
    free(edges);
    free(places);
    free(guesses);
    free(finders);
    free(grey.levels);
    return count;
}
