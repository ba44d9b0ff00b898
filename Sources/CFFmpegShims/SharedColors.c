// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Reduction.h"

#include <math.h>

CPixelLoops_Weights sca_weights_of(const AVFrame *frame) {
    const int *table = sws_getCoefficients(CFFmpegShims_color_space(frame));
    int is_full = CFFmpegShims_is_full_range(frame);
    double scale = (is_full ? 224.0 / 255 : 1) / 8;
    return (CPixelLoops_Weights){
        is_full ? 0 : 16, (int16_t)lrint(is_full ? 8192 : 8192 * 255.0 / 219), (int16_t)lrint(table[0] * scale),
        (int16_t)lrint(table[2] * scale), (int16_t)lrint(table[3] * scale), (int16_t)lrint(table[1] * scale)};
}

static int has_all_rows(const AVFrame *frame) {
    return frame->format == AV_PIX_FMT_YUV422P || frame->format == AV_PIX_FMT_YUVJ422P;
}

int sca_shares_colors(const AVFrame *frame, int is_smooth) {
    if (has_all_rows(frame)) return !is_smooth && frame->height % 2 == 0;
    return frame->format == AV_PIX_FMT_YUV420P || frame->format == AV_PIX_FMT_YUVJ420P;
}

CPixelLoops_SharedRow sca_shared_row(const AVFrame *frame, int row) {
    int last = (frame->height + 1) / 2 - 1, near = row / 2, far = row % 2 ? near + 1 : near - 1;
    far = far < 0 ? 0 : far > last ? last : far;
    CPixelLoops_SharedRow result = {.columns = 2, .rows = 2, .luma = frame->data[0] + (ptrdiff_t)row * frame->linesize[0]};
    ptrdiff_t rows[2] = {near, far};
    for (int index = 0; index < 2; index++) {
        ptrdiff_t place = rows[index] * (has_all_rows(frame) ? 2 : 1);
        result.blue[index] = frame->data[1] + place * frame->linesize[1];
        result.red[index] = frame->data[2] + place * frame->linesize[2];
    }
    return result;
}
