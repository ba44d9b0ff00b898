// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CFFmpegShims.h"

#include <CPixelLoops.h>

#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mem.h>

struct bytes {
    uint8_t *data;
    size_t size;
};

struct CFFmpegShims_Copier {
    struct SwsContext *context;
    int source_width, source_height, source_format, width, height;
    int space, is_full;
    // The bytes of a frame before it is turned, and before it gets the look of the first frame.
    struct bytes upright, unfitted;
    // The look of the first frame, and the context that gives it to frames with another one.
    CFFmpegShims_Look look, fitted_look;
    struct SwsContext *fitting;
};

CFFmpegShims_Copier *CFFmpegShims_make_copier(void) { return av_mallocz(sizeof(CFFmpegShims_Copier)); }

void CFFmpegShims_free_copier(CFFmpegShims_Copier *copier) {
    if (!copier) return;
    sws_freeContext(copier->context);
    sws_freeContext(copier->fitting);
    av_free(copier->upright.data);
    av_free(copier->unfitted.data);
    av_free(copier);
}

static int is_bt601(int space) {
    return space == AVCOL_SPC_SMPTE170M || space == AVCOL_SPC_BT470BG || space == AVCOL_SPC_FCC;
}

static int reserve(struct bytes *bytes, int size) {
    if (bytes->size >= (size_t)size) return 0;
    av_freep(&bytes->data);
    bytes->size = 0;
    bytes->data = av_malloc((size_t)size);
    if (!bytes->data) return AVERROR(ENOMEM);
    bytes->size = (size_t)size;
    return 0;
}

static int is_same_look(CFFmpegShims_Look first, CFFmpegShims_Look second) {
    return first.width == second.width && first.height == second.height &&
           first.is_full_range == second.is_full_range && first.is_bt709 == second.is_bt709;
}

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
        const int *shown = sws_getCoefficients(!is_bt601(space) ? SWS_CS_ITU709 : SWS_CS_ITU601);
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

// Writes the frame upright, in its own look.
static int copy_upright(
    CFFmpegShims_Copier *copier, const AVFrame *frame, int width, int height, int rotation, uint8_t *target, int size
) {
    if (rotation == 0) return convert(copier, frame, width, height, target, size);
    int error = reserve(&copier->upright, size);
    if (error >= 0) error = convert(copier, frame, width, height, copier->upright.data, size);
    if (error < 0) return error;
    const uint8_t *source = copier->upright.data;
    for (int plane = 0; plane < 3; plane++) {
        const int columns = plane ? (width + 1) / 2 : width, rows = plane ? (height + 1) / 2 : height;
        CPixelLoops_turn(source, columns, rows, 1, rotation % 360 / 90, rotation >= 360, target);
        source += (ptrdiff_t)columns * rows;
        target += (ptrdiff_t)columns * rows;
    }
    return 0;
}

// About half of the edge of the pictures that models take; calls begin with frames that are little larger.
enum { least_edge = 128 };

static int even(int64_t size, int most) {
    const int rounded = (int)(size + 1) & ~1;
    const int least = most < 2 ? most : 2;
    return rounded > most ? most : rounded < least ? least : rounded;
}

static int fitting_context(
    CFFmpegShims_Copier *copier, CFFmpegShims_Look from, int width, int height, CFFmpegShims_Look to
) {
    if (copier->fitting && is_same_look(copier->fitted_look, from)) return 0;
    sws_freeContext(copier->fitting);
    copier->fitting = sws_getContext(
        from.width, from.height, AV_PIX_FMT_YUV420P, width, height, AV_PIX_FMT_YUV420P, SWS_BILINEAR | SWS_ACCURATE_RND,
        NULL, NULL, NULL);
    if (!copier->fitting) return AVERROR(EINVAL);
    copier->fitted_look = from;
    return sws_setColorspaceDetails(
        copier->fitting, sws_getCoefficients(from.is_bt709 ? SWS_CS_ITU709 : SWS_CS_ITU601), from.is_full_range,
        sws_getCoefficients(to.is_bt709 ? SWS_CS_ITU709 : SWS_CS_ITU601), to.is_full_range, 0, 1 << 16, 1 << 16);
}

// Scales a frame of one look into a frame of another, in the middle of black bars.
static int fit(
    CFFmpegShims_Copier *copier, const uint8_t *source, CFFmpegShims_Look from, uint8_t *target, CFFmpegShims_Look to
) {
    uint8_t *source_planes[4], *planes[4];
    int source_line_sizes[4], line_sizes[4];
    int error = av_image_fill_arrays(
        source_planes, source_line_sizes, source, AV_PIX_FMT_YUV420P, from.width, from.height, 1);
    if (error >= 0) {
        error = av_image_fill_arrays(planes, line_sizes, target, AV_PIX_FMT_YUV420P, to.width, to.height, 1);
    }
    if (error < 0) return error;
    const ptrdiff_t whole_line_sizes[4] = {line_sizes[0], line_sizes[1], line_sizes[2], 0};
    error = av_image_fill_black(
        planes, whole_line_sizes, AV_PIX_FMT_YUV420P, to.is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG, to.width,
        to.height);
    if (error < 0) return error;
    const int is_wider = (int64_t)from.width * to.height > (int64_t)to.width * from.height;
    const int width = is_wider ? to.width : even((int64_t)from.width * to.height / from.height, to.width);
    const int height = is_wider ? even((int64_t)from.height * to.width / from.width, to.height) : to.height;
    // A first frame of a few pixels must not leave the others with too few to be judged.
    const int is_small = width < least_edge || height < least_edge;
    if (is_small && (int64_t)width * height * 4 < (int64_t)from.width * from.height) return AVERROR_PATCHWELCOME;
    // The planes of colours begin at whole samples.
    const int column = (to.width - width) / 2 & ~1, row = (to.height - height) / 2 & ~1;
    for (int plane = 0; plane < 3; plane++) {
        const int step = plane ? 2 : 1;
        planes[plane] += (ptrdiff_t)(row / step) * line_sizes[plane] + column / step;
    }
    error = fitting_context(copier, from, width, height, to);
    if (error < 0) return error;
    const int rows = sws_scale(
        copier->fitting, (const uint8_t *const *)source_planes, source_line_sizes, 0, from.height, planes, line_sizes);
    return rows == height ? 0 : AVERROR(EINVAL);
}

int CFFmpegShims_copy_frame(
    CFFmpegShims_Copier *copier, const AVFrame *frame, int width, int height, int rotation, int keeps_look,
    uint8_t *target, int64_t capacity, CFFmpegShims_Look *look
) {
    const int is_turned = rotation % 180 == 90;
    const CFFmpegShims_Look own = {
        .width = is_turned ? height : width,
        .height = is_turned ? width : height,
        .is_full_range = CFFmpegShims_is_full_range(frame),
        .is_bt709 = !is_bt601(CFFmpegShims_color_space(frame)),
    };
    const int is_kept = keeps_look && copier->look.width > 0;
    *look = is_kept ? copier->look : own;
    const int own_size = av_image_get_buffer_size(AV_PIX_FMT_YUV420P, own.width, own.height, 1);
    const int size = av_image_get_buffer_size(AV_PIX_FMT_YUV420P, look->width, look->height, 1);
    if (own_size < 0 || size < 0) return own_size < 0 ? own_size : size;
    if (size > capacity) return AVERROR(ENOSPC);
    int error;
    if (is_same_look(own, *look)) {
        error = copy_upright(copier, frame, width, height, rotation, target, size);
        if (error >= 0) copier->look = own;
    } else {
        error = reserve(&copier->unfitted, own_size);
        if (error >= 0) error = copy_upright(copier, frame, width, height, rotation, copier->unfitted.data, own_size);
        if (error >= 0) error = fit(copier, copier->unfitted.data, own, target, *look);
    }
    return error < 0 ? error : size;
}
