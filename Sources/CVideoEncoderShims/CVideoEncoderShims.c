// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CVideoEncoderShims.h"

#include <CPixelLoops.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <string.h>

// Times in files are in 1/90,000 s, as in most films.
enum { ticks = 90000, bytes_of_header = 8192, bytes_of_frame = 64 };

struct CVideoEncoderShims_Film {
    AVCodecContext *encoder;
    /// Removes the text that x264 writes about itself.
    AVBSFContext *filter;
    AVFrame *frame;
    int width, height;
    /// A frame over its background.
    uint8_t *opaque;
    /// The times at which frames start and end, in ticks, in the order in which they are shown.
    int64_t (*times)[2];
    int64_t frame_count, frame_room;
    AVPacket **packets;
    int64_t packet_count, packet_room;
};

static void say_nothing(void *owner, int level, const char *format, va_list arguments) {
    (void)owner, (void)level, (void)format, (void)arguments;
}

int CVideoEncoderShims_start(void) {
    av_log_set_callback(say_nothing);
    return avcodec_find_encoder_by_name("libx264") != NULL;
}

void CVideoEncoderShims_close(CVideoEncoderShims_Film *film) {
    if (!film) return;
    for (int64_t index = 0; index < film->packet_count; index++) av_packet_free(&film->packets[index]);
    av_freep(&film->packets);
    av_freep(&film->times);
    av_freep(&film->opaque);
    av_frame_free(&film->frame);
    av_bsf_free(&film->filter);
    avcodec_free_context(&film->encoder);
    av_free(film);
}

static int open_encoder(CVideoEncoderShims_Film *film, int factor) {
    const AVCodec *codec = avcodec_find_encoder_by_name("libx264");
    if (!codec) return AVERROR_ENCODER_NOT_FOUND;
    AVCodecContext *encoder = film->encoder = avcodec_alloc_context3(codec);
    if (!encoder) return AVERROR(ENOMEM);
    // Films have an even number of columns and rows, because two by two pixels share colours.
    encoder->width = (film->width + 1) / 2 * 2;
    encoder->height = (film->height + 1) / 2 * 2;
    encoder->pix_fmt = AV_PIX_FMT_YUV420P;
    encoder->time_base = (AVRational){1, ticks};
    encoder->framerate = (AVRational){25, 1};
    encoder->sample_aspect_ratio = (AVRational){1, 1};
    encoder->color_range = AVCOL_RANGE_MPEG;
    encoder->colorspace = AVCOL_SPC_BT709;
    encoder->color_primaries = AVCOL_PRI_BT709;
    encoder->color_trc = AVCOL_TRC_BT709;
    encoder->chroma_sample_location = AVCHROMA_LOC_LEFT;
    encoder->gop_size = 250;
    // Frames are in the file as they are shown: from other orders, players and muxers make other times.
    encoder->max_b_frames = 0;
    encoder->thread_count = 2;
    encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
    AVDictionary *options = NULL;
    av_dict_set(&options, "preset", "veryfast", 0);
    av_dict_set_int(&options, "crf", factor, 0);
    av_dict_set(&options, "profile", "high", 0);
    // Fewer frames wait in memory.
    av_dict_set(&options, "rc-lookahead", "10", 0);
    int error = avcodec_open2(encoder, codec, &options);
    av_dict_free(&options);
    return error;
}

static int open_filter(CVideoEncoderShims_Film *film) {
    const AVBitStreamFilter *filter = av_bsf_get_by_name("filter_units");
    if (!filter) return AVERROR_BSF_NOT_FOUND;
    int error = av_bsf_alloc(filter, &film->filter);
    if (error < 0) return error;
    // Source: ITU-T H.264, table 7-1: 6 is supplemental enhancement information.
    error = av_opt_set(film->filter->priv_data, "remove_types", "6", 0);
    if (error < 0) return error;
    error = avcodec_parameters_from_context(film->filter->par_in, film->encoder);
    if (error < 0) return error;
    film->filter->time_base_in = film->encoder->time_base;
    return av_bsf_init(film->filter);
}

int CVideoEncoderShims_open(CVideoEncoderShims_Film **result, int width, int height, int factor) {
    *result = NULL;
    if (width < 1 || height < 1 || width > 16384 || height > 16384) return AVERROR(EINVAL);
    CVideoEncoderShims_Film *film = av_mallocz(sizeof *film);
    if (!film) return AVERROR(ENOMEM);
    film->width = width;
    film->height = height;
    int error = open_encoder(film, factor);
    if (error >= 0) error = open_filter(film);
    if (error >= 0) {
        film->frame = av_frame_alloc();
        error = film->frame ? 0 : AVERROR(ENOMEM);
    }
    if (error >= 0) {
        film->frame->format = film->encoder->pix_fmt;
        film->frame->width = film->encoder->width;
        film->frame->height = film->encoder->height;
        error = av_frame_get_buffer(film->frame, 0);
    }
    if (error < 0) {
        CVideoEncoderShims_close(film);
        return error;
    }
    *result = film;
    return 0;
}

// Makes room for one more element of an array.
static int grow(void *array, int64_t count, int64_t *room, size_t size) {
    if (count < *room) return 0;
    int64_t wanted = *room ? *room * 2 : 256;
    void *memory;
    memcpy(&memory, array, sizeof memory);
    memory = av_realloc_array(memory, (size_t)wanted, size);
    if (!memory) return AVERROR(ENOMEM);
    memcpy(array, &memory, sizeof memory);
    *room = wanted;
    return 0;
}

// Takes all packets that are ready.
static int receive(CVideoEncoderShims_Film *film) {
    while (1) {
        int error = grow(&film->packets, film->packet_count, &film->packet_room, sizeof *film->packets);
        if (error < 0) return error;
        AVPacket *packet = av_packet_alloc();
        if (!packet) return AVERROR(ENOMEM);
        error = avcodec_receive_packet(film->encoder, packet);
        if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) {
            av_packet_free(&packet);
            return 0;
        }
        if (error >= 0) error = av_bsf_send_packet(film->filter, packet);
        if (error >= 0) error = av_bsf_receive_packet(film->filter, packet);
        if (error < 0) {
            av_packet_free(&packet);
            // Each packet has a picture, and the filter may not keep it.
            return error == AVERROR(EAGAIN) ? AVERROR_BUG : error;
        }
        film->packets[film->packet_count++] = packet;
    }
}

static const uint8_t *over_background(
    CVideoEncoderShims_Film *film, const uint8_t *pixels, const uint8_t background[3]
) {
    size_t count = (size_t)film->width * (size_t)film->height;
    if (!film->opaque) film->opaque = av_malloc(count * 3);
    if (!film->opaque) return NULL;
    uint8_t *target = film->opaque;
    for (size_t index = 0; index < count; index++, pixels += 4, target += 3) {
        unsigned opacity = pixels[3];
        for (int channel = 0; channel < 3; channel++) {
            target[channel] = (uint8_t)((pixels[channel] * opacity + background[channel] * (255 - opacity) + 127) / 255);
        }
    }
    return film->opaque;
}

int CVideoEncoderShims_add(
    CVideoEncoderShims_Film *film, const uint8_t *pixels, int channels, const uint8_t background[3], int64_t start,
    int64_t end
) {
    if (channels == 4) pixels = over_background(film, pixels, background);
    if (!pixels) return AVERROR(ENOMEM);
    int error = grow(&film->times, film->frame_count, &film->frame_room, sizeof *film->times);
    if (error < 0) return error;
    // The encoder may still hold the memory of the frame before.
    error = av_frame_make_writable(film->frame);
    if (error < 0) return error;
    AVFrame *frame = film->frame;
    CPixelLoops_VideoFrame target = {
        .width = frame->width, .height = frame->height, .luma = frame->data[0], .blue = frame->data[1],
        .red = frame->data[2], .luma_bytes_per_row = frame->linesize[0], .color_bytes_per_row = frame->linesize[1]};
    if (!CPixelLoops_pack_video(pixels, film->width, film->height, target)) return AVERROR(ENOMEM);
    int64_t earliest = film->frame_count ? film->times[film->frame_count - 1][0] + 1 : 0;
    int64_t first = av_rescale(start, ticks, 1000000), last = av_rescale(end, ticks, 1000000);
    if (first < earliest) first = earliest;
    film->times[film->frame_count][0] = first;
    film->times[film->frame_count][1] = last > first ? last : first + 1;
    film->frame_count++;
    film->frame->pts = first;
    film->frame->pict_type = AV_PICTURE_TYPE_NONE;
    error = avcodec_send_frame(film->encoder, film->frame);
    return error < 0 ? error : receive(film);
}

// The file while it is written.
struct output {
    uint8_t *bytes;
    int64_t count, room, position;
};

static int write_bytes(void *owner, uint8_t *bytes, int count) {
    struct output *output = owner;
    if (count < 0 || output->position > INT64_MAX / 4 - count) return AVERROR(EINVAL);
    int64_t end = output->position + count;
    if (end > output->room) {
        int64_t room = end + end / 2 + (1 << 16);
        uint8_t *grown = av_realloc(output->bytes, (size_t)room);
        if (!grown) return AVERROR(ENOMEM);
        output->bytes = grown;
        output->room = room;
    }
    // A muxer may leave a gap, which it fills later.
    if (output->position > output->count) memset(output->bytes + output->count, 0, (size_t)(output->position - output->count));
    memcpy(output->bytes + output->position, bytes, (size_t)count);
    output->position = end;
    if (end > output->count) output->count = end;
    return count;
}

static int64_t seek(void *owner, int64_t offset, int whence) {
    struct output *output = owner;
    if (whence == AVSEEK_SIZE) return output->count;
    int64_t from = whence == SEEK_CUR ? output->position : whence == SEEK_END ? output->count : 0;
    if (offset < -from || offset > INT64_MAX / 4) return AVERROR(EINVAL);
    return output->position = from + offset;
}

// The length of the frame that starts at a time, in ticks.
static int64_t duration(const CVideoEncoderShims_Film *film, int64_t start) {
    int64_t low = 0, high = film->frame_count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (film->times[middle][0] < start) low = middle + 1;
        else high = middle;
    }
    return low + 1 < film->frame_count ? film->times[low + 1][0] - film->times[low][0]
                                       : film->times[low][1] - film->times[low][0];
}

static int mux(CVideoEncoderShims_Film *film, AVFormatContext *context) {
    AVStream *stream = avformat_new_stream(context, NULL);
    if (!stream) return AVERROR(ENOMEM);
    int error = avcodec_parameters_copy(stream->codecpar, film->filter->par_out);
    if (error < 0) return error;
    stream->time_base = film->encoder->time_base;
    context->flags |= AVFMT_FLAG_BITEXACT;
    AVDictionary *options = NULL;
    // The index gets a place before the frames, so that players can begin before they have the whole file.
    av_dict_set_int(&options, "moov_size", bytes_of_header + bytes_of_frame * film->frame_count, 0);
    error = avformat_write_header(context, &options);
    av_dict_free(&options);
    for (int64_t index = 0; index < film->packet_count && error >= 0; index++) {
        AVPacket *packet = film->packets[index];
        packet->stream_index = 0;
        packet->duration = duration(film, packet->pts);
        av_packet_rescale_ts(packet, film->encoder->time_base, stream->time_base);
        error = av_write_frame(context, packet);
        // The memory of a frame is not needed twice.
        av_packet_unref(packet);
    }
    return error < 0 ? error : av_write_trailer(context);
}

int CVideoEncoderShims_finish(CVideoEncoderShims_Film *film, uint8_t **file, int64_t *byte_count) {
    *file = NULL;
    *byte_count = 0;
    int error = avcodec_send_frame(film->encoder, NULL);
    if (error >= 0) error = receive(film);
    if (error >= 0 && film->packet_count != film->frame_count) error = AVERROR_BUG;
    if (error < 0) return error;
    struct output output = {0};
    AVFormatContext *context = NULL;
    enum { buffer_size = 1 << 16 };
    uint8_t *buffer = av_malloc(buffer_size);
    AVIOContext *io = buffer ? avio_alloc_context(buffer, buffer_size, 1, &output, NULL, write_bytes, seek) : NULL;
    error = avformat_alloc_output_context2(&context, NULL, "mp4", NULL);
    if (error >= 0 && !io) error = AVERROR(ENOMEM);
    if (error >= 0) {
        context->pb = io;
        context->flags |= AVFMT_FLAG_CUSTOM_IO;
        error = mux(film, context);
        if (error >= 0) avio_flush(io);
        if (error >= 0) error = io->error;
    }
    avformat_free_context(context);
    if (io) av_freep(&io->buffer);
    else av_free(buffer);
    avio_context_free(&io);
    if (error < 0) {
        av_free(output.bytes);
        return error;
    }
    *file = output.bytes;
    *byte_count = output.count;
    return 0;
}

void CVideoEncoderShims_free_file(void *file) { av_free(file); }

void CVideoEncoderShims_describe(int error, char *text, int capacity) { av_strerror(error, text, (size_t)capacity); }

int CVideoEncoderShims_is_shortage(int error) { return error == AVERROR(ENOMEM); }
