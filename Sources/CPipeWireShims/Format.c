// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Capture.h"

#include <string.h>

#include <spa/param/buffers.h>
#include <spa/param/format-utils.h>
#include <spa/param/video/format-utils.h>

enum {
    /// With fewer, the source would have none left while one is kept here and one is on its way.
    usual_buffers = 4,
    fewest_buffers = 2
};

static bool source_format(uint32_t format, CPipeWireShims_SourceFormat *source) {
    switch (format) {
        case SPA_VIDEO_FORMAT_I420: *source = CPipeWireShims_source_I420; return true;
        case SPA_VIDEO_FORMAT_NV12: *source = CPipeWireShims_source_NV12; return true;
        case SPA_VIDEO_FORMAT_YUY2: *source = CPipeWireShims_source_YUY2; return true;
        case SPA_VIDEO_FORMAT_UYVY: *source = CPipeWireShims_source_UYVY; return true;
        case SPA_VIDEO_FORMAT_BGRx: *source = CPipeWireShims_source_BGRx; return true;
        case SPA_VIDEO_FORMAT_RGBx: *source = CPipeWireShims_source_RGBx; return true;
        case SPA_VIDEO_FORMAT_BGRA: *source = CPipeWireShims_source_BGRA; return true;
        case SPA_VIDEO_FORMAT_RGBA: *source = CPipeWireShims_source_RGBA; return true;
        default: return false;
    }
}

static int matrix_number(uint32_t matrix) {
    return matrix == SPA_VIDEO_COLOR_MATRIX_BT601 ? 601 : matrix == SPA_VIDEO_COLOR_MATRIX_BT709 ? 709 : 0;
}

bool sca_read_format(struct sca_capture *capture, const struct spa_pod *parameter) {
    uint32_t type, subtype;
    struct spa_video_info_raw raw;
    memset(&raw, 0, sizeof raw);
    struct sca_format *format = &capture->format;
    if (spa_format_parse(parameter, &type, &subtype) < 0 || type != SPA_MEDIA_TYPE_video ||
        subtype != SPA_MEDIA_SUBTYPE_raw || spa_format_video_raw_parse(parameter, &raw) < 0 ||
        (raw.flags & SPA_VIDEO_FLAG_MODIFIER) || !source_format(raw.format, &format->format)) {
        sca_fail(capture, CPipeWireShims_failure_no_readable_format);
        return false;
    }
    if (raw.interlace_mode != SPA_VIDEO_INTERLACE_MODE_PROGRESSIVE) {
        sca_fail(capture, CPipeWireShims_failure_interlaced);
        return false;
    }
    if (raw.size.width == 0 || raw.size.height == 0 || raw.size.width > capture->request->limits.max_edge ||
        raw.size.height > capture->request->limits.max_edge) {
        sca_fail(capture, CPipeWireShims_failure_refused_size);
        return false;
    }
    // FramePacking converts pixels of red, green and blue to the video range of BT.709.
    const bool is_rgb = format->format >= CPipeWireShims_source_BGRx;
    format->width = raw.size.width;
    format->height = raw.size.height;
    format->is_full_range = !is_rgb && raw.color_range == SPA_VIDEO_COLOR_RANGE_0_255;
    format->matrix = is_rgb ? 709 : matrix_number(raw.color_matrix);
    return true;
}

static const struct spa_pod *build_meta(struct spa_pod_builder *builder, uint32_t type, size_t size) {
    return spa_pod_builder_add_object(builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type,
                                      SPA_POD_Id(type), SPA_PARAM_META_size, SPA_POD_Int((int)size));
}

/// Asks for buffers in plain memory: DMA-BUFs cannot be read without their device.
static const struct spa_pod *build_buffers(struct spa_pod_builder *builder, int32_t stride, int32_t size) {
    return spa_pod_builder_add_object(
        builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers,
        SPA_PARAM_BUFFERS_buffers, SPA_POD_CHOICE_RANGE_Int(usual_buffers, fewest_buffers, sca_most_buffers),
        SPA_PARAM_BUFFERS_blocks, SPA_POD_CHOICE_RANGE_Int(1, 1, CPipeWireShims_most_blocks),
        SPA_PARAM_BUFFERS_size, SPA_POD_CHOICE_RANGE_Int(size, 1, INT32_MAX),
        SPA_PARAM_BUFFERS_stride, SPA_POD_CHOICE_RANGE_Int(stride, 0, INT32_MAX),
        SPA_PARAM_BUFFERS_dataType, SPA_POD_CHOICE_FLAGS_Int((1 << SPA_DATA_MemPtr) | (1 << SPA_DATA_MemFd)));
}

void sca_answer_format(struct sca_capture *capture) {
    int32_t stride, size;
    uint8_t space[1024];
    const struct sca_format *format = &capture->format;
    if (!CPipeWireShims_usual_layout(format->format, format->width, format->height, &stride, &size)) {
        sca_fail(capture, CPipeWireShims_failure_refused_size);
        return;
    }
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(space, sizeof space);
    const struct spa_pod *parameters[] = {
        build_buffers(&builder, stride, size),
        build_meta(&builder, SPA_META_Header, sizeof(struct spa_meta_header)),
        build_meta(&builder, SPA_META_VideoCrop, sizeof(struct spa_meta_region)),
        build_meta(&builder, SPA_META_VideoTransform, sizeof(struct spa_meta_videotransform)),
    };
    const int result = pw_stream_update_params(capture->stream, parameters, SPA_N_ELEMENTS(parameters));
    if (result < 0) sca_fail(capture, CPipeWireShims_failure_stream);
}

const struct spa_pod *sca_build_offer(struct spa_pod_builder *builder, uint32_t max_edge) {
    const struct spa_rectangle usual = {SPA_MIN(640u, max_edge), SPA_MIN(480u, max_edge)};
    const struct spa_rectangle least = {1, 1}, most = {max_edge, max_edge};
    const struct spa_fraction usual_rate = {30, 1}, least_rate = {0, 1}, most_rate = {1000, 1};
    return spa_pod_builder_add_object(
        builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat,
        SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video),
        SPA_FORMAT_mediaSubtype, SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw),
        SPA_FORMAT_VIDEO_format,
        SPA_POD_CHOICE_ENUM_Id(9, SPA_VIDEO_FORMAT_I420, SPA_VIDEO_FORMAT_I420, SPA_VIDEO_FORMAT_NV12,
                               SPA_VIDEO_FORMAT_YUY2, SPA_VIDEO_FORMAT_UYVY, SPA_VIDEO_FORMAT_BGRx,
                               SPA_VIDEO_FORMAT_RGBx, SPA_VIDEO_FORMAT_BGRA, SPA_VIDEO_FORMAT_RGBA),
        SPA_FORMAT_VIDEO_size, SPA_POD_CHOICE_RANGE_Rectangle(&usual, &least, &most),
        SPA_FORMAT_VIDEO_framerate, SPA_POD_CHOICE_RANGE_Fraction(&usual_rate, &least_rate, &most_rate));
}
