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
