// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CFFmpegShims.h"

#include <libavutil/mem.h>
#include <string.h>

// The room for the index of an MP4 file, which lies before the packets, so that players can begin before the end.
enum { bytes_of_header = 8192, bytes_of_packet = 64, bytes_written_at_once = 64 * 1024 };

// The file while it is written.
struct sink {
    CFFmpegShims_Write write;
    void *owner;
    int64_t position, end;
    int has_failed;
};

#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int write_bytes(void *opaque, const uint8_t *bytes, int count) {
#else
static int write_bytes(void *opaque, uint8_t *bytes, int count) {
#endif
    struct sink *sink = opaque;
    if (count < 0 || sink->position > INT64_MAX / 4 - count) return AVERROR(EINVAL);
    if (sink->has_failed || (sink->write && sink->write(sink->owner, bytes, count, sink->position) != 0)) {
        sink->has_failed = 1;
        return AVERROR(EIO);
    }
    sink->position += count;
    if (sink->position > sink->end) sink->end = sink->position;
    return count;
}

static int64_t seek_sink(void *opaque, int64_t offset, int whence) {
    struct sink *sink = opaque;
    if (whence == AVSEEK_SIZE) return sink->end;
    int64_t from = whence == SEEK_CUR ? sink->position : whence == SEEK_END ? sink->end : 0;
    if (offset < -from || offset > INT64_MAX / 4) return AVERROR(EINVAL);
    return sink->position = from + offset;
}

int CFFmpegShims_find_sound(const AVFormatContext *input, const char *format) {
    const AVOutputFormat *muxer = av_guess_format(format, NULL, NULL);
    int found = -1;
    for (unsigned index = 0; index < input->nb_streams; index++) {
        const AVCodecParameters *parameters = input->streams[index]->codecpar;
        if (parameters->codec_type != AVMEDIA_TYPE_AUDIO || parameters->codec_id == AV_CODEC_ID_NONE) continue;
        if (muxer && avformat_query_codec(muxer, parameters->codec_id, FF_COMPLIANCE_EXPERIMENTAL) == 1) {
            if (parameters->sample_rate > 0) return (int)index;
            // Sound is not decoded here, so its sampling stays unknown if only its packets state it.
            found = -3;
        } else if (found == -1) {
            found = -2;
        }
    }
    return found;
}

// Replaces the second of three headers, which holds comments of the sender and may hold pictures, by an empty one.
// The headers lie behind each other with lengths of two bytes, or behind their number and the laced lengths of two of them.
// Sources: Vorbis I specification, section 5; Theora specification, section 6.3; Matroska, A_VORBIS and V_THEORA.
static int clear_comments(AVCodecParameters *parameters) {
    int is_theora = parameters->codec_id == AV_CODEC_ID_THEORA;
    if (!is_theora && parameters->codec_id != AV_CODEC_ID_VORBIS) return 0;
    static const uint8_t vorbis[] = "\3vorbis\0\0\0\0\0\0\0\0\1", theora[] = "\x81theora\0\0\0\0\0\0\0\0";
    const uint8_t *empty = is_theora ? theora : vorbis;
    const size_t empty_size = is_theora ? sizeof theora - 1 : sizeof vorbis - 1;
    const uint8_t *data = parameters->extradata, *headers[3];
    size_t size = parameters->extradata_size > 0 ? (size_t)parameters->extradata_size : 0, sizes[3] = {0}, place;
    if (size > 3 && data[0] == 2) {
        place = 1;
        for (int header = 0; header < 2; header++) {
            while (place < size && data[place] == 255) sizes[header] += data[place++];
            if (place >= size) return AVERROR_INVALIDDATA;
            sizes[header] += data[place++];
        }
        if (sizes[0] + sizes[1] > size - place) return AVERROR_INVALIDDATA;
        sizes[2] = size - place - sizes[0] - sizes[1];
        for (int header = 0; header < 3; place += sizes[header++]) headers[header] = data + place;
    } else {
        place = 0;
        for (int header = 0; header < 3; header++) {
            if (size - place < 2) return AVERROR_INVALIDDATA;
            sizes[header] = (size_t)data[place] << 8 | data[place + 1];
            headers[header] = data + place + 2;
            if (sizes[header] > size - place - 2) return AVERROR_INVALIDDATA;
            place += 2 + sizes[header];
        }
    }
    const size_t lacing = 1 + sizes[0] / 255 + 1 + empty_size / 255 + 1;
    const size_t total = lacing + sizes[0] + empty_size + sizes[2];
    uint8_t *made = av_mallocz(total + AV_INPUT_BUFFER_PADDING_SIZE), *end = made;
    if (!made) return AVERROR(ENOMEM);
    *end++ = 2;
    for (size_t left = sizes[0]; ; left -= 255) {
        *end++ = (uint8_t)(left < 255 ? left : 255);
        if (left < 255) break;
    }
    *end++ = (uint8_t)empty_size;
    memcpy(end, headers[0], sizes[0]);
    memcpy(end += sizes[0], empty, empty_size);
    memcpy(end + empty_size, headers[2], sizes[2]);
    av_freep(&parameters->extradata);
    parameters->extradata = made;
    parameters->extradata_size = (int)total;
    return 0;
}

// Adds a stream with the parameters of another, and nothing that describes it otherwise.
static int add_stream(AVFormatContext *output, const AVStream *from) {
    AVStream *stream = avformat_new_stream(output, NULL);
    if (!stream) return AVERROR(ENOMEM);
    int error = avcodec_parameters_copy(stream->codecpar, from->codecpar);
    if (error < 0) return error;
#if LIBAVCODEC_VERSION_MAJOR >= 61
    av_packet_side_data_free(&stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data);
#endif
    // A tag is kept where it means the same codec in the new container.
    const struct AVCodecTag *const *tags = output->oformat->codec_tag;
    uint32_t tag = from->codecpar->codec_tag;
    if (!tags || av_codec_get_id(tags, tag) != from->codecpar->codec_id) stream->codecpar->codec_tag = 0;
    stream->time_base = from->time_base;
    stream->avg_frame_rate = from->avg_frame_rate;
    // Players prefer the shape of pixels that the container names.
    if (from->sample_aspect_ratio.num) stream->codecpar->sample_aspect_ratio = from->sample_aspect_ratio;
    stream->sample_aspect_ratio = stream->codecpar->sample_aspect_ratio;
    return clear_comments(stream->codecpar);
}

static int copy_packets(AVFormatContext *input, AVFormatContext *output, int pictures, int sound) {
    AVPacket *packet = av_packet_alloc();
    if (!packet) return AVERROR(ENOMEM);
    int error = 0, failures = 0;
    while (error >= 0 && failures < 1000) {
        int result = av_read_frame(input, packet);
        if (result == AVERROR(EAGAIN)) {
            failures++;
            continue;
        }
        if (result < 0) {
            error = result == AVERROR_EOF ? 0 : result;
            break;
        }
        int index = packet->stream_index;
        if (index == pictures || index == sound) {
            // The side data of a packet could change the look of its frame.
            av_packet_free_side_data(packet);
            packet->flags &= AV_PKT_FLAG_KEY;
            packet->pos = -1;
            packet->stream_index = index == pictures ? 0 : 1;
            av_packet_rescale_ts(packet, input->streams[index]->time_base, output->streams[packet->stream_index]->time_base);
            error = av_interleaved_write_frame(output, packet);
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    return error;
}

static int mux(AVFormatContext *input, AVFormatContext *output, int pictures, int sound, int64_t packet_count) {
    int error = add_stream(output, input->streams[pictures]);
    if (error >= 0 && sound >= 0) error = add_stream(output, input->streams[sound]);
    if (error < 0) return error;
    output->flags |= AVFMT_FLAG_BITEXACT;
    // FFmpeg 5 calls FLAC in MP4 an experiment; players have it by now.
    output->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    // Matroska has no edit list, and its length counts from 0.
    if (!strcmp(output->oformat->name, "matroska")) output->avoid_negative_ts = AVFMT_AVOID_NEG_TS_MAKE_ZERO;
    AVDictionary *options = NULL;
    int64_t room = bytes_of_header + bytes_of_packet * packet_count + input->streams[pictures]->codecpar->extradata_size;
    if (sound >= 0) room += input->streams[sound]->codecpar->extradata_size;
    if (room > INT32_MAX) return AVERROR(ENOMEM);
    av_dict_set_int(&options, "moov_size", room, 0);
    error = avformat_write_header(output, &options);
    av_dict_free(&options);
    if (error < 0) return error;
    error = copy_packets(input, output, pictures, sound);
    // The trailer also frees what the muxer holds.
    int end = av_write_trailer(output);
    return error < 0 ? error : end;
}

int64_t CFFmpegShims_remux(
    AVFormatContext *input, int pictures, int sound, const char *format, int64_t packet_count, CFFmpegShims_Write write,
    void *owner
) {
    struct sink sink = {.write = write, .owner = owner};
    AVFormatContext *output = NULL;
    int error = avformat_alloc_output_context2(&output, NULL, format, NULL);
    if (error < 0) return error;
    uint8_t *buffer = av_malloc(bytes_written_at_once);
    AVIOContext *io =
        buffer ? avio_alloc_context(buffer, bytes_written_at_once, 1, &sink, NULL, write_bytes, seek_sink) : NULL;
    if (io) {
        output->pb = io;
        output->flags |= AVFMT_FLAG_CUSTOM_IO;
        error = mux(input, output, pictures, sound, packet_count);
        if (error >= 0) avio_flush(io);
        if (error >= 0) error = io->error;
        if (sink.has_failed) error = AVERROR(EIO);
    } else {
        error = AVERROR(ENOMEM);
    }
    avformat_free_context(output);
    if (io) av_freep(&io->buffer);
    else av_free(buffer);
    avio_context_free(&io);
    return error < 0 ? error : sink.end;
}
