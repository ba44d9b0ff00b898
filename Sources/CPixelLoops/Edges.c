// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"

#include <stdlib.h>
#include <string.h>

static inline uint8_t larger(uint8_t a, uint8_t b) { return a > b ? a : b; }

void CPixelLoops_differences(const uint8_t *first, const uint8_t *second, size_t count, uint8_t *target, size_t step) {
    for (size_t index = 0; index < count; index++) {
        uint8_t largest = 0;
        for (size_t band = 0; band < 3; band++) {
            const int difference = first[index * 3 + band] - second[index * 3 + band];
            largest = larger(largest, (uint8_t)abs(difference));
        }
        target[index * step] = largest;
    }
}

void CPixelLoops_mark_ridges(const uint8_t *levels, size_t lines, size_t length, uint8_t least, uint8_t *marks) {
    memset(marks, 0, lines * length);
    for (size_t line = 0; line < lines; line++) {
        const uint8_t *own = levels + line * length;
        for (size_t index = 0; index < length; index++) {
            const uint8_t level = own[index];
            if (level < least) continue;
            uint8_t near = 0, far = 0;
            for (size_t distance = 1; distance <= 3; distance++) {
                const uint8_t before = line >= distance ? levels[(line - distance) * length + index] : 0;
                const uint8_t after = line + distance < lines ? levels[(line + distance) * length + index] : 0;
                if (distance == 1) near = larger(before, after);
                else far = larger(far, larger(before, after));
            }
            marks[line * length + index] = level >= near && level > far;
        }
    }
}

void CPixelLoops_sum_marks(const uint8_t *marks, size_t lines, size_t length, int32_t *narrow, int32_t *wide) {
    for (size_t line = 0; line < lines; line++) {
        const uint8_t *own = marks + line * length;
        const uint8_t *next = line + 1 < lines ? own + length : own, *last = line > 0 ? own - length : own;
        int32_t *narrow_sums = narrow + line * (length + 1), *wide_sums = wide + line * (length + 1);
        narrow_sums[0] = wide_sums[0] = 0;
        for (size_t place = 0; place < length; place++) {
            const uint8_t pair = own[place] | next[place];
            narrow_sums[place + 1] = narrow_sums[place] + pair;
            wide_sums[place + 1] = wide_sums[place] + (pair | last[place]);
        }
    }
}

void CPixelLoops_steps(const uint8_t *pixels, size_t width, size_t height, uint8_t *target) {
    memset(target, 0, width);
    for (size_t row = 0; row < height; row++) {
        const uint8_t *own = pixels + row * width * 3;
        uint8_t *steps = target + row * width;
        if (row > 0) CPixelLoops_differences(own - width * 3, own, width, steps, 1);
        for (size_t column = 1; column < width; column++) {
            for (size_t band = 0; band < 3; band++) {
                const size_t place = column * 3 + band;
                steps[column] = larger(steps[column], (uint8_t)abs(own[place] - own[place - 3]));
            }
        }
    }
}

void CPixelLoops_mark_cells(const uint8_t *levels, size_t width, size_t height, uint8_t bound, size_t side, uint8_t *marks) {
    const size_t columns = (width + side - 1) / side, rows = (height + side - 1) / side;
    memset(marks, 0, columns * rows);
    for (size_t row = 0; row < height; row++) {
        uint8_t *line = marks + row / side * columns;
        for (size_t column = 0; column < width; column++) line[column / side] |= levels[row * width + column] > bound;
    }
}
