// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "FramePacking.h"

#include <stdlib.h>
#include <string.h>

/// Turns a plane of samples of one or two bytes clockwise.
static void turn_plane(const uint8_t *from, size_t columns, size_t rows, size_t bytes, unsigned turns, uint8_t *to) {
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns; column++) {
            size_t place;
            if (turns == 1) {
                place = column * rows + (rows - 1 - row);
            } else if (turns == 2) {
                place = (rows - 1 - row) * columns + (columns - 1 - column);
            } else {
                place = (columns - 1 - column) * rows + row;
            }
            memcpy(to + place * bytes, from + (row * columns + column) * bytes, bytes);
        }
    }
}

bool CPipeWireShims_turn(CPipeWireShims_Frame *frame, CPipeWireShims_Packing *packing) {
    const unsigned turns = frame->quarter_turns;
    if (turns == 0) return true;
    uint8_t *turned = malloc(frame->byte_count);
    if (!turned) return false;
    const size_t luma = (size_t)frame->width * frame->height;
    const size_t columns = ((size_t)frame->width + 1) / 2, rows = ((size_t)frame->height + 1) / 2;
    turn_plane(frame->bytes, frame->width, frame->height, 1, turns, turned);
    if (frame->format == CPipeWireShims_NV12) {
        turn_plane(frame->bytes + luma, columns, rows, 2, turns, turned + luma);
    } else {
        const size_t second = luma + columns * rows;
        turn_plane(frame->bytes + luma, columns, rows, 1, turns, turned + luma);
        turn_plane(frame->bytes + second, columns, rows, 1, turns, turned + second);
    }
    free(packing->bytes);
    packing->bytes = turned;
    packing->capacity = frame->byte_count;
    frame->bytes = turned;
    frame->quarter_turns = 0;
    if (turns != 2) {
        const uint32_t width = frame->width;
        frame->width = frame->height;
        frame->height = width;
    }
    return true;
}
