// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CFFmpegShims.h"

#include <limits.h>
#include <string.h>

// Sends a file as one packet, and takes the only picture.
static int decode(AVCodecContext *context, AVPacket *packet, AVFrame *out) {
    int error = avcodec_send_packet(context, packet);
    if (error < 0) return error;
    error = avcodec_send_packet(context, NULL);
    return error < 0 ? error : avcodec_receive_frame(context, out);
}

int CFFmpegShims_decode_still(
    const char *decoder, const uint8_t *bytes, int64_t byte_count, int64_t maximum_pixels, AVFrame *out
) {
    const AVCodec *codec = avcodec_find_decoder_by_name(decoder);
    if (!codec) return AVERROR_DECODER_NOT_FOUND;
    if (byte_count < 1 || byte_count > INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return AVERROR(EINVAL);
    AVCodecContext *context = avcodec_alloc_context3(codec);
    AVPacket *packet = av_packet_alloc();
    int error = context && packet ? av_new_packet(packet, (int)byte_count) : AVERROR(ENOMEM);
    if (error >= 0) {
        memcpy(packet->data, bytes, (size_t)byte_count);
        context->thread_count = 1;
        context->max_pixels = maximum_pixels;
        context->err_recognition |= AV_EF_EXPLODE;
        error = avcodec_open2(context, codec, NULL);
    }
    if (error >= 0) error = decode(context, packet, out);
    av_packet_free(&packet);
    avcodec_free_context(&context);
    if (error < 0) return error;
    // Levels of pictures use the whole range, and programs show their pixels as squares.
    out->color_range = AVCOL_RANGE_JPEG;
    out->sample_aspect_ratio = (AVRational){0, 1};
    return 0;
}
