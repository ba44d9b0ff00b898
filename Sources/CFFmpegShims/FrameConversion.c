// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Reduction.h"

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

CFFmpegShims_Reducer *CFFmpegShims_make_reducer(void) {
    return av_mallocz(sizeof(CFFmpegShims_Reducer));
}

void CFFmpegShims_free_reducer(CFFmpegShims_Reducer *reducer) {
    if (!reducer) return;
    for (int index = 0; index < 2; index++) sws_freeContext(reducer->bands[index].context);
    av_free(reducer->pixels);
    av_free(reducer->sums);
    av_free(reducer);
}

size_t sca_line_size(const AVFrame *frame) {
    return ((size_t)frame->width + alignment - 1) / alignment * alignment + alignment;
}

int sca_reserve(void **memory, size_t *size, size_t needed) {
    if (*size >= needed) return 0;
    av_freep(memory);
    *size = 0;
    *memory = av_malloc(needed);
    if (!*memory) return AVERROR(ENOMEM);
    *size = needed;
    return 0;
}

static enum AVPixelFormat target_format(const AVFrame *frame) {
    return CFFmpegShims_has_alpha(frame) ? AV_PIX_FMT_GBRAP : AV_PIX_FMT_GBRP;
}

static int prepare(struct band *band, const AVFrame *frame, int rows, int is_smooth) {
    struct band wanted = {
        .source = frame->format, .target = target_format(frame), .width = frame->width, .rows = rows,
        .space = CFFmpegShims_color_space(frame), .is_full = CFFmpegShims_is_full_range(frame), .is_smooth = is_smooth};
    if (band->context && band->source == wanted.source && band->target == wanted.target && band->width == wanted.width &&
        band->rows == wanted.rows && band->space == wanted.space && band->is_full == wanted.is_full &&
        band->is_smooth == wanted.is_smooth)
        return 0;
    sws_freeContext(band->context);
    // Without this, levels are up to four off.
    int flags = SWS_ACCURATE_RND | (is_smooth ? SWS_BILINEAR | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT : SWS_POINT);
    wanted.context = sws_getContext(
        frame->width, rows, frame->format, frame->width, rows, wanted.target, flags, NULL, NULL, NULL);
    *band = wanted;
    if (!band->context) return AVERROR(EINVAL);
    const int *source = sws_getCoefficients(wanted.space), *target = sws_getCoefficients(SWS_CS_DEFAULT);
    // Fails for formats that have no range, which need none.
    sws_setColorspaceDetails(band->context, source, wanted.is_full, target, 1, 0, 1 << 16, 1 << 16);
    return 0;
}

// The rows of a frame from one on, as sws_scale takes them.
static void point_at(const AVFrame *frame, int row, const uint8_t *planes[4]) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    for (int plane = 0; plane < 4; plane++) {
        planes[plane] = frame->data[plane];
        // The second plane of these is the table of colours.
        if (!planes[plane] || (plane == 1 && format->flags & AV_PIX_FMT_FLAG_PAL)) continue;
        int is_shared = (plane == 1 || plane == 2) && !(format->flags & AV_PIX_FMT_FLAG_RGB);
        planes[plane] += (ptrdiff_t)(is_shared ? row >> format->log2_chroma_h : row) * frame->linesize[plane];
    }
}

int sca_convert(
    CFFmpegShims_Reducer *reducer, const AVFrame *frame, int from, int to, int is_smooth, uint8_t *planes[4],
    int line_sizes[4], int *first
) {
    int margin = is_smooth ? margin_rows : 0;
    *first = from < margin ? 0 : from - margin;
    int last = frame->height - to < margin ? frame->height : to + margin, rows = last - *first;
    struct band *band = &reducer->bands[rows != band_rows + 2 * margin];
    int error = prepare(band, frame, rows, is_smooth);
    if (error < 0) return error;
    int line = (int)sca_line_size(frame);
    planes[0] = reducer->pixels;
    line_sizes[0] = line;
    for (int plane = 1; plane < 4; plane++) {
        planes[plane] = plane == 3 && band->target != AV_PIX_FMT_GBRAP
                            ? NULL
                            : planes[plane - 1] + (ptrdiff_t)line * (band_rows + 2 * margin_rows);
        line_sizes[plane] = planes[plane] ? line : 0;
    }
    const uint8_t *source[4];
    point_at(frame, *first, source);
    int done = sws_scale(band->context, source, frame->linesize, 0, rows, planes, line_sizes);
    return done == rows ? 0 : AVERROR(EINVAL);
}

