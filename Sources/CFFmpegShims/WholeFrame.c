// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Reduction.h"

#include <libavutil/error.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

int CFFmpegShims_each_row(
    const AVFrame *frame, void (*take)(void *context, const uint8_t *row), void *context
) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (!format || frame->width < 1 || frame->height < 1) return AVERROR(EINVAL);
    // Rows are converted by themselves, which would show at the edges of bands if they shared colours.
    if (format->log2_chroma_h) return AVERROR(ENOSYS);
    int has_alpha = CFFmpegShims_has_alpha(frame), line = frame->width * (has_alpha ? 4 : 3);
    uint8_t *rows = av_malloc((size_t)line * band_rows + alignment);
    if (!rows) return AVERROR(ENOMEM);
    struct SwsContext *converter = NULL;
    int error = 0, converter_rows = 0;
    for (int from = 0; from < frame->height && !error; from += band_rows) {
        int count = frame->height - from < band_rows ? frame->height - from : band_rows;
        if (count != converter_rows) {
            sws_freeContext(converter);
            converter = sws_getContext(
                frame->width, count, frame->format, frame->width, count, has_alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24,
                SWS_ACCURATE_RND | SWS_POINT, NULL, NULL, NULL);
            converter_rows = count;
            if (!converter) {
                error = AVERROR(ENOSYS);
                break;
            }
            sws_setColorspaceDetails(
                converter, sws_getCoefficients(CFFmpegShims_color_space(frame)), CFFmpegShims_is_full_range(frame),
                sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
        }
        const uint8_t *planes[4];
        for (int plane = 0; plane < 4; plane++) {
            // The second plane of these is the table of colours.
            int is_table = plane == 1 && format->flags & AV_PIX_FMT_FLAG_PAL;
            planes[plane] = !frame->data[plane] || is_table
                                ? frame->data[plane]
                                : frame->data[plane] + (ptrdiff_t)from * frame->linesize[plane];
        }
        uint8_t *target[4] = {rows};
        int line_sizes[4] = {line};
        if (sws_scale(converter, planes, frame->linesize, 0, count, target, line_sizes) != count) error = AVERROR(EINVAL);
        for (int row = 0; row < count && !error; row++) take(context, rows + (size_t)row * (size_t)line);
    }
    sws_freeContext(converter);
    av_free(rows);
    return error;
}
