// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Opening.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

struct stream_input {
    int descriptor;
    CFFmpegShims_Wait wait;
    void *owner;
    // Bytes that were read to find the format, and are read again.
    uint8_t *prefix;
    int prefix_count, prefix_position;
    int has_ended;
    // Whether the pipe has datagrams, each behind its length in two bytes; the prefix describes their session.
    int has_datagrams, has_read_description;
};

enum { buffer_size = 32 * 1024, datagram_size = 64 * 1024, pause_milliseconds = 50 };
// How many datagrams are kept behind a gap, and for how long, until the missing ones are given up.
enum { gap_datagrams = 64, gap_microseconds = 100 * 1000 };

static int wait_for_bytes(const struct stream_input *input) {
    for (;;) {
        struct pollfd entry = {.fd = input->descriptor, .events = POLLIN};
        const int ready = poll(&entry, 1, pause_milliseconds);
        if (ready < 0 && errno != EINTR) return AVERROR(errno);
        if (input->wait(input->owner)) return AVERROR_EXIT;
        if (ready > 0) return 0;
    }
}

static int read_pipe(struct stream_input *input, uint8_t *buffer, int count) {
    const int left = input->prefix_count - input->prefix_position;
    if (left > 0) {
        const int taken = count < left ? count : left;
        memcpy(buffer, input->prefix + input->prefix_position, (size_t)taken);
        input->prefix_position += taken;
        return taken;
    }
    for (;;) {
        const int error = wait_for_bytes(input);
        if (error < 0) return error;
        const ssize_t got = read(input->descriptor, buffer, (size_t)count);
        if (got > 0) return (int)got;
        if (got == 0) {
            input->has_ended = 1;
            return AVERROR_EOF;
        }
        if (errno != EINTR && errno != EAGAIN) return AVERROR(errno);
    }
}

static int read_whole(struct stream_input *input, uint8_t *buffer, int count) {
    for (int position = 0; position < count;) {
        const int got = read_pipe(input, buffer + position, count - position);
        if (got < 0) return got;
        position += got;
    }
    return count;
}

// Whether a datagram says that its sender leaves, which ends a stream for FFmpeg although more may come.
// Source: RFC 3550, sections 6.1 and 6.6.
static int is_goodbye(const uint8_t *bytes, int count) {
    for (int position = 0; position + 4 <= count;) {
        const int type = bytes[position + 1];
        if (type < 200 || type > 207) return 0;
        if (type == 203) return 1;
        position += ((bytes[position + 2] << 8 | bytes[position + 3]) + 1) * 4;
    }
    return 0;
}

static int read_datagram(struct stream_input *input, uint8_t *buffer, int count) {
    for (;;) {
        uint8_t length[2];
        int got = read_whole(input, length, sizeof length);
        if (got < 0) return got;
        const int byte_count = length[0] << 8 | length[1];
        // The demuxer asks for more than the longest datagram.
        if (byte_count > count) return AVERROR_INVALIDDATA;
        if (byte_count == 0) continue;
        got = read_whole(input, buffer, byte_count);
        if (got < 0 || !is_goodbye(buffer, got)) return got;
    }
}

static int read_stream(void *opaque, uint8_t *buffer, int count) {
    struct stream_input *input = opaque;
    if (!input->has_datagrams) return read_pipe(input, buffer, count);
    if (input->prefix_position < input->prefix_count) return read_pipe(input, buffer, count);
    if (input->has_read_description) return read_datagram(input, buffer, count);
    input->has_read_description = 1;
    return AVERROR_EOF;
}

int CFFmpegShims_read_stream(int descriptor, uint8_t *bytes, int count, CFFmpegShims_Wait wait, void *owner) {
    struct stream_input input = {.descriptor = descriptor, .wait = wait, .owner = owner};
    const int got = read_pipe(&input, bytes, count);
    return got == AVERROR_EOF ? 0 : got;
}

// A demuxer writes nothing here, but some call the function and loop without it.
static int discard_bytes(void *opaque, uint8_t *buffer, int count) {
    (void)opaque, (void)buffer;
    return count;
}

static int discard_constant_bytes(void *opaque, const uint8_t *buffer, int count) {
    (void)opaque, (void)buffer;
    return count;
}

// FFmpeg made the buffer of this callback constant, so the type of its own pointer chooses the function.
#define DISCARD                                                    \
    _Generic(                                                      \
        ((AVIOContext *)NULL)->write_packet,                       \
        int (*)(void *, uint8_t *, int): discard_bytes,            \
        int (*)(void *, const uint8_t *, int): discard_constant_bytes)

static void free_input(struct stream_input *input) {
    if (!input) return;
    av_free(input->prefix);
    av_free(input);
}

static void close_io(AVIOContext *io) {
    struct stream_input *input = io->opaque;
    av_freep(&io->buffer);
    avio_context_free(&io);
    free_input(input);
}

// FFmpeg knows packets of HEVC behind headers of IVF from a later version on.
static void name_codecs(AVFormatContext *context) {
    for (unsigned index = 0; index < context->nb_streams; index++) {
        AVCodecParameters *parameters = context->streams[index]->codecpar;
        if (parameters->codec_id == AV_CODEC_ID_NONE && parameters->codec_tag == MKTAG('H', 'E', 'V', 'C'))
            parameters->codec_id = AV_CODEC_ID_HEVC;
    }
}

int CFFmpegShims_open_stream(
    AVFormatContext **out, int descriptor, const uint8_t *prefix, int prefix_count, const char *format,
    const char *codecs, CFFmpegShims_Wait wait, void *owner
) {
    const AVInputFormat *demuxer = av_find_input_format(format);
    if (!demuxer) return AVERROR_DEMUXER_NOT_FOUND;
    const int has_datagrams = !strcmp(format, "sdp");
    const int size = has_datagrams ? datagram_size : buffer_size;
    AVFormatContext *context = avformat_alloc_context();
    struct stream_input *input = av_mallocz(sizeof *input);
    uint8_t *buffer = av_malloc((size_t)size);
    AVIOContext *io = NULL;
    if (context && input && buffer) {
        *input = (struct stream_input){
            .descriptor = descriptor, .wait = wait, .owner = owner, .has_datagrams = has_datagrams};
        if (prefix_count > 0) {
            input->prefix = av_memdup(prefix, (size_t)prefix_count);
            input->prefix_count = input->prefix ? prefix_count : 0;
        }
        if (prefix_count <= 0 || input->prefix)
            io = avio_alloc_context(buffer, size, 0, input, read_stream, DISCARD, NULL);
    }
    if (!io) {
        av_free(buffer);
        free_input(input);
        avformat_free_context(context);
        return AVERROR(ENOMEM);
    }
    io->seekable = 0;
    sca_use_input(context, io);
    context->max_streams = 64;
    // How much is read before the streams are known, which delays the first picture.
    context->probesize = 64 * 1024;
    context->max_analyze_duration = AV_TIME_BASE / 5;
    context->fps_probe_size = 0;
    context->max_ts_probe = 20;
    // An index is of no use where nothing can be read again.
    context->max_index_size = 16 * 1024;

    AVDictionary *options = sca_closed_options(demuxer, codecs);
    if (has_datagrams) {
        // A read gives a whole datagram, for which there has to be room.
        io->max_packet_size = datagram_size;
        av_dict_set(&options, "sdp_flags", "custom_io", 0);
        av_dict_set_int(&options, "reorder_queue_size", gap_datagrams, 0);
        context->max_delay = gap_microseconds;
    }
    // avformat_open_input frees the context on failure, and never custom input.
    int error = avformat_open_input(&context, "", demuxer, &options);
    av_dict_free(&options);
    if (error >= 0 && has_datagrams) {
        // The description has ended, and the datagrams begin.
        io->eof_reached = 0;
        // The demuxer writes reports for the sender. Without this, writing would wait for room for ever.
        io->direct = 1;
    }
    if (error >= 0 && !strcmp(format, "ivf")) name_codecs(context);
    if (error >= 0) error = avformat_find_stream_info(context, NULL);
    if (error < 0) {
        if (context) avformat_close_input(&context);
        close_io(io);
        return error;
    }
    *out = context;
    return 0;
}

int CFFmpegShims_stream_has_ended(const AVFormatContext *context) {
    const struct stream_input *input = context->pb->opaque;
    return input->has_ended && context->pb->buf_ptr >= context->pb->buf_end;
}

void CFFmpegShims_close_stream(AVFormatContext **context) {
    if (!*context) return;
    AVIOContext *io = (*context)->pb;
    avformat_close_input(context);
    close_io(io);
}
