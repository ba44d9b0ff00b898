// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CFFmpegShims.h"

#include <CPixelLoops.h>

#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mem.h>

struct CFFmpegShims_Copier {
    struct SwsContext *context;
    int source_width, source_height, source_format, width, height;
    int space, is_full;
    uint8_t *upright;
    size_t upright_size;
};

CFFmpegShims_Copier *CFFmpegShims_make_copier(void) { return av_mallocz(sizeof(CFFmpegShims_Copier)); }

void CFFmpegShims_free_copier(CFFmpegShims_Copier *copier) {
    if (!copier) return;
    sws_freeContext(copier->context);
    av_free(copier->upright);
    av_free(copier);
}

static int is_bt601(int space) {
    return space == AVCOL_SPC_SMPTE170M || space == AVCOL_SPC_BT470BG || space == AVCOL_SPC_FCC;
}

int CFFmpegShims_copy_is_bt709(const AVFrame *frame) { return !is_bt601(CFFmpegShims_color_space(frame)); }

static int convert(
    CFFmpegShims_Copier *copier, const AVFrame *frame, int width, int height, uint8_t *target, int64_t size
) {
    const int space = CFFmpegShims_color_space(frame), is_full = CFFmpegShims_is_full_range(frame);
    const int is_plain = (frame->format == AV_PIX_FMT_YUV420P || frame->format == AV_PIX_FMT_YUVJ420P) &&
                         (space == AVCOL_SPC_BT709 || is_bt601(space));
    if (is_plain && frame->width == width && frame->height == height) {
        const int count = av_image_copy_to_buffer(
            target, (int)size, (const uint8_t *const *)frame->data, frame->linesize, AV_PIX_FMT_YUV420P, width, height,
            1);
        return count < 0 ? count : 0;
    }
    uint8_t *planes[4];
    int line_sizes[4];
    const int filled = av_image_fill_arrays(planes, line_sizes, target, AV_PIX_FMT_YUV420P, width, height, 1);
    if (filled < 0) return filled;
    const int is_same = copier->context && copier->source_width == frame->width &&
                        copier->source_height == frame->height && copier->source_format == frame->format &&
                        copier->width == width && copier->height == height && copier->space == space &&
                        copier->is_full == is_full;
    if (!is_same) {
        sws_freeContext(copier->context);
        copier->context = sws_getContext(
            frame->width, frame->height, frame->format, width, height, AV_PIX_FMT_YUV420P,
            SWS_BILINEAR | SWS_ACCURATE_RND, NULL, NULL, NULL);
        if (!copier->context) return AVERROR(EINVAL);
        // Levels keep their meaning, which the host is told. Fails for formats that have no range, which need none.
        const int *source = sws_getCoefficients(space);
        const int *shown = sws_getCoefficients(CFFmpegShims_copy_is_bt709(frame) ? SWS_CS_ITU709 : SWS_CS_ITU601);
        sws_setColorspaceDetails(copier->context, source, is_full, shown, is_full, 0, 1 << 16, 1 << 16);
        copier->source_width = frame->width;
        copier->source_height = frame->height;
        copier->source_format = frame->format;
        copier->width = width;
        copier->height = height;
        copier->space = space;
        copier->is_full = is_full;
    }
    const int rows = sws_scale(
        copier->context, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, line_sizes);
    return rows == height ? 0 : AVERROR(EINVAL);
}

int CFFmpegShims_copy_frame(
    CFFmpegShims_Copier *copier, const AVFrame *frame, int width, int height, int rotation, uint8_t *target,
    int64_t capacity
) {
    const int size = av_image_get_buffer_size(AV_PIX_FMT_YUV420P, width, height, 1);
    if (size < 0) return size;
    if (size > capacity) return AVERROR(ENOSPC);
    if (rotation == 0) {
        const int error = convert(copier, frame, width, height, target, size);
        return error < 0 ? error : size;
    }
    if (copier->upright_size < (size_t)size) {
        av_freep(&copier->upright);
        copier->upright_size = 0;
        copier->upright = av_malloc((size_t)size);
        if (!copier->upright) return AVERROR(ENOMEM);
        copier->upright_size = (size_t)size;
    }
    const int error = convert(copier, frame, width, height, copier->upright, size);
    if (error < 0) return error;
    const uint8_t *source = copier->upright;
    for (int plane = 0; plane < 3; plane++) {
        const int columns = plane ? (width + 1) / 2 : width, rows = plane ? (height + 1) / 2 : height;
        CPixelLoops_turn(source, columns, rows, 1, rotation % 360 / 90, rotation >= 360, target);
        source += (ptrdiff_t)columns * rows;
        target += (ptrdiff_t)columns * rows;
    }
    return size;
}
