// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Opening.h"

#include <CPixelLoops.h>

#include <errno.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const int64_t CFFmpegShims_no_timestamp = AV_NOPTS_VALUE;
const int CFFmpegShims_error_end = AVERROR_EOF;
const int CFFmpegShims_error_again = AVERROR(EAGAIN);
const int CFFmpegShims_error_exit = AVERROR_EXIT;
const int CFFmpegShims_error_no_space = AVERROR(ENOSPC);
const int CFFmpegShims_error_memory = AVERROR(ENOMEM);
const int CFFmpegShims_error_no_decoder = AVERROR_DECODER_NOT_FOUND;
const int CFFmpegShims_error_too_many_streams = AVERROR(E2BIG);

enum { most_patches = 100000, most_streams = 64 };

struct input {
    int descriptor;
    // Where the media begins in the file, and how many bytes it has; the position counts from its beginning.
    int64_t start;
    int64_t byte_count;
    int64_t position;
    CFFmpegShims_Patch *patches;
    int patch_count;
    int has_too_many_streams;
};

// How much of a file is read at once.
enum { buffer_size = 64 * 1024 };

static int read_input(void *opaque, uint8_t *buffer, int count);

// Takes FFmpeg's messages instead of the terminal. The one that a stream was refused is the only sign of it that does not
// look like a lack of memory, and it comes while the container has all the streams that it may have.
static void note_message(void *source, int level, const char *format, va_list arguments) {
    (void)format, (void)arguments;
    if (level > AV_LOG_ERROR || !source || *(const AVClass *const *)source != avformat_get_class()) return;
    const AVFormatContext *context = source;
    if (!context->pb || context->pb->read_packet != read_input) return;
    if (context->nb_streams >= (unsigned)context->max_streams)
        ((struct input *)context->pb->opaque)->has_too_many_streams = 1;
}

void CFFmpegShims_start(void) {
    av_log_set_callback(note_message);
}

static void apply_patches(const struct input *input, uint8_t *buffer, int64_t count) {
    int first = 0, end = input->patch_count;
    while (first < end) {
        int middle = first + (end - first) / 2;
        const CFFmpegShims_Patch *patch = &input->patches[middle];
        if (patch->position + patch->count <= input->position) first = middle + 1;
        else end = middle;
    }
    for (int index = first; index < input->patch_count; index++) {
        const CFFmpegShims_Patch *patch = &input->patches[index];
        if (patch->position >= input->position + count) return;
        for (int place = 0; place < patch->count; place++) {
            int64_t offset = patch->position + place - input->position;
            if (offset >= 0 && offset < count) buffer[offset] = patch->bytes[place];
        }
    }
}

static void free_input(struct input *input) {
    av_free(input->patches);
    av_free(input);
}

static int read_input(void *opaque, uint8_t *buffer, int count) {
    struct input *input = opaque;
    int64_t left = input->byte_count - input->position;
    if (left <= 0) return AVERROR_EOF;
    if (count > left) count = (int)left;
    ssize_t got;
    do {
        got = pread(input->descriptor, buffer, (size_t)count, input->start + input->position);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return AVERROR(errno);
    if (got == 0) return AVERROR_EOF;
    apply_patches(input, buffer, got);
    input->position += got;
    return (int)got;
}

static int64_t seek_input(void *opaque, int64_t offset, int whence) {
    struct input *input = opaque;
    if (whence == AVSEEK_SIZE) return input->byte_count;
    int64_t base = 0;
    switch (whence & ~AVSEEK_FORCE) {
    case SEEK_SET: break;
    case SEEK_CUR: base = input->position; break;
    case SEEK_END: base = input->byte_count; break;
    default: return AVERROR(EINVAL);
    }
    int64_t position;
    if (__builtin_add_overflow(base, offset, &position) || position < 0) return AVERROR(EINVAL);
    return input->position = position;
}

// Frees what reads a file, with its buffer: FFmpeg leaves both to whoever made them.
static void close_io(AVIOContext *io) {
    struct input *input = io->opaque;
    av_freep(&io->buffer);
    avio_context_free(&io);
    free_input(input);
}

static int deny_opening(AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)context, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

void sca_use_input(AVFormatContext *context, AVIOContext *input) {
    context->pb = input;
    context->flags |= AVFMT_FLAG_CUSTOM_IO;
    context->io_open = deny_opening;
}

AVDictionary *sca_closed_options(const AVInputFormat *demuxer, const char *codecs) {
    AVDictionary *options = NULL;
    av_dict_set(&options, "format_whitelist", demuxer->name, 0);
    av_dict_set(&options, "codec_whitelist", codecs, 0);
    // An empty list would allow everything: this names a protocol that does not exist.
    av_dict_set(&options, "protocol_whitelist", "none", 0);
    av_dict_set(&options, "enable_drefs", "0", 0);
    av_dict_set(&options, "use_absolute_path", "0", 0);
    // Frames that an edit list hides are judged as well; following it would also take a second index in memory.
    av_dict_set(&options, "advanced_editlist", "0", 0);
    return options;
}

int CFFmpegShims_open(
    AVFormatContext **out, int descriptor, int64_t start, int64_t byte_count, const CFFmpegShims_Patch *patches,
    int patch_count, int keeps_patches, const char *format, const char *codecs
) {
    if (patch_count < 0 || patch_count > most_patches) return AVERROR(EINVAL);
    const AVInputFormat *demuxer = av_find_input_format(format);
    if (!demuxer) return AVERROR_DEMUXER_NOT_FOUND;
    AVFormatContext *context = avformat_alloc_context();
    struct input *input = av_mallocz(sizeof *input);
    uint8_t *buffer = av_malloc(buffer_size);
    if (!context || !input || !buffer) goto no_memory;
    *input = (struct input){.descriptor = descriptor, .start = start, .byte_count = byte_count};
    if (patch_count > 0) {
        input->patches = av_memdup(patches, (size_t)patch_count * sizeof *patches);
        if (!input->patches) goto no_memory;
        input->patch_count = patch_count;
    }
    AVIOContext *io = avio_alloc_context(buffer, buffer_size, 0, input, read_input, NULL, seek_input);
    if (!io) goto no_memory;
    sca_use_input(context, io);
    // One more than a file may have, so that a demuxer that leaves streams out without an error is noticed.
    context->max_streams = most_streams + 1;
    // How much may be read and held before the streams are known.
    context->probesize = 2 << 20;
    context->max_analyze_duration = 3 * AV_TIME_BASE;
    context->max_ts_probe = 20;

    AVDictionary *options = sca_closed_options(demuxer, codecs);
    // avformat_open_input frees the context on failure, and never custom input.
    int error = avformat_open_input(&context, "", demuxer, &options);
    av_dict_free(&options);
    if (error < 0) {
        if (input->has_too_many_streams) error = CFFmpegShims_error_too_many_streams;
        close_io(io);
        return error;
    }
    if (!keeps_patches) {
        // The data of a frame may lie anywhere, also in a header: what was read with patches is read again.
        input->patch_count = 0;
        input->position = avio_tell(io);
        io->buf_ptr = io->buf_end = io->buffer;
        io->pos = input->position;
    }
    *out = context;
    return 0;

no_memory:
    av_free(buffer);
    if (input) free_input(input);
    avformat_free_context(context);
    return AVERROR(ENOMEM);
}

int CFFmpegShims_has_too_many_streams(const AVFormatContext *context) {
    const struct input *input = context->pb->opaque;
    return context->nb_streams > most_streams || input->has_too_many_streams;
}

void CFFmpegShims_close(AVFormatContext **context) {
    if (!*context) return;
    AVIOContext *io = (*context)->pb;
    avformat_close_input(context);
    if (!io) return;
    close_io(io);
}

enum AVCodecID CFFmpegShims_picture_codec(uint32_t tag) {
    const struct AVCodecTag *tables[] = {avformat_get_mov_video_tags(), NULL};
    return av_codec_get_id(tables, tag);
}

int CFFmpegShims_open_decoder(
    AVCodecContext **out, const AVStream *stream, const char *name, int64_t maximum_pixels
) {
    const AVCodec *codec = avcodec_find_decoder_by_name(name);
    if (!codec) return AVERROR_DECODER_NOT_FOUND;
    AVCodecContext *context = avcodec_alloc_context3(codec);
    if (!context) return AVERROR(ENOMEM);
    int error = avcodec_parameters_to_context(context, stream->codecpar);
    if (error >= 0) {
        // Segments are decoded side by side instead, each by a decoder of its own.
        context->thread_count = 1;
        context->max_pixels = maximum_pixels;
        context->pkt_timebase = (AVRational){1, 1};
        // CFFmpegShims_cut_edges cuts frames, and tells of their upper and left edge.
        context->apply_cropping = 0;
        // Of the codecs that are read, these can tell by themselves what is damaged, and are otherwise not asked.
        if (codec->id == AV_CODEC_ID_APNG) context->err_recognition |= AV_EF_CRCCHECK | AV_EF_EXPLODE;
        if (codec->id == AV_CODEC_ID_MJPEG) context->err_recognition |= AV_EF_EXPLODE;
        error = avcodec_open2(context, codec, NULL);
    }
    if (error < 0) {
        avcodec_free_context(&context);
        return error;
    }
    *out = context;
    return 0;
}

void CFFmpegShims_give_incomplete_frames(AVCodecContext *context, int gives_them) {
    if (gives_them) {
        context->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
        context->flags2 |= AV_CODEC_FLAG2_SHOW_ALL;
    } else {
        context->flags &= ~AV_CODEC_FLAG_OUTPUT_CORRUPT;
        context->flags2 &= ~AV_CODEC_FLAG2_SHOW_ALL;
    }
}

int CFFmpegShims_cut_edges(AVFrame *frame) {
    const int is_cut = frame->crop_left > 0 || frame->crop_top > 0;
    const int error = av_frame_apply_cropping(frame, 0);
    return error < 0 ? error : is_cut;
}

int CFFmpegShims_is_probed_as(int descriptor, int64_t start, int64_t byte_count, const char *name) {
    const AVInputFormat *wanted = av_find_input_format(name), *found = NULL;
    struct input *input = av_mallocz(sizeof *input);
    uint8_t *buffer = av_malloc(buffer_size);
    AVIOContext *io = NULL;
    if (input && buffer) {
        *input = (struct input){.descriptor = descriptor, .start = start, .byte_count = byte_count};
        io = avio_alloc_context(buffer, buffer_size, 0, input, read_input, NULL, seek_input);
    }
    if (!io) {
        av_free(buffer);
        if (input) free_input(input);
        return AVERROR(ENOMEM);
    }
    const int score = av_probe_input_buffer2(io, &found, "", NULL, 0, 0);
    close_io(io);
    return score < 0 ? score : found == wanted;
}

int CFFmpegShims_block_averages(const AVFrame *frame, int side, uint16_t *averages, uint16_t *details) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (!format || side < 1 || side > 64 || frame->width < 1 || frame->height < 1) return 0;
    const uint64_t unread =
        AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL |
        AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER;
    if (format->flags & unread) return 0;
    for (int index = 0; index < format->nb_components; index++) {
        const AVComponentDescriptor *component = &format->comp[index];
        if (component->depth < 8 || component->depth > 16 || !frame->data[component->plane]) return 0;
        int is_chroma = (index == 1 || index == 2) && !(format->flags & AV_PIX_FMT_FLAG_RGB);
        CPixelLoops_Plane plane = {
            .data = frame->data[component->plane] + component->offset,
            .bytes_per_row = frame->linesize[component->plane],
            .width = is_chroma ? AV_CEIL_RSHIFT(frame->width, format->log2_chroma_w) : frame->width,
            .height = is_chroma ? AV_CEIL_RSHIFT(frame->height, format->log2_chroma_h) : frame->height,
            .step = component->step, .bytes = component->depth + component->shift > 8 ? 2 : 1,
            .shift = component->shift, .depth = component->depth};
        ptrdiff_t start = (ptrdiff_t)index * side * side;
        if (!CPixelLoops_average_blocks(&plane, side, side, averages + start, details + 2 * start)) return 0;
    }
    return format->nb_components;
}

int CFFmpegShims_color_space(const AVFrame *frame) {
    int space = frame->colorspace;
    if (space != AVCOL_SPC_UNSPECIFIED && space != AVCOL_SPC_RESERVED) return space;
    // Players guess a missing colour space by the size of the frame.
    return frame->width >= 1280 || frame->height > 576 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
}

int CFFmpegShims_is_full_range(const AVFrame *frame) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    return frame->color_range == AVCOL_RANGE_JPEG || (format && format->flags & AV_PIX_FMT_FLAG_RGB) ||
           frame->format == AV_PIX_FMT_YUVJ420P || frame->format == AV_PIX_FMT_YUVJ422P ||
           frame->format == AV_PIX_FMT_YUVJ444P || frame->format == AV_PIX_FMT_YUVJ440P;
}

// The formats of frames and of the same frames with opacity. There is none for 4:2:0 with 12 bits, and grey gets colours.
static const struct {
    enum AVPixelFormat plain, with_opacity;
} formats_with_opacity[] = {
    {AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P}, {AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVA422P},
    {AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVA444P}, {AV_PIX_FMT_GBRP, AV_PIX_FMT_GBRAP},
    {AV_PIX_FMT_YUV420P10, AV_PIX_FMT_YUVA420P10}, {AV_PIX_FMT_YUV422P10, AV_PIX_FMT_YUVA422P10},
    {AV_PIX_FMT_YUV444P10, AV_PIX_FMT_YUVA444P10}, {AV_PIX_FMT_GBRP10, AV_PIX_FMT_GBRAP10},
    {AV_PIX_FMT_YUV422P12, AV_PIX_FMT_YUVA422P12}, {AV_PIX_FMT_YUV444P12, AV_PIX_FMT_YUVA444P12},
    {AV_PIX_FMT_GBRP12, AV_PIX_FMT_GBRAP12},         {AV_PIX_FMT_GRAY8, AV_PIX_FMT_YUVA420P},
    {AV_PIX_FMT_GRAY10, AV_PIX_FMT_YUVA420P10},      {AV_PIX_FMT_GRAY12, AV_PIX_FMT_YUVA444P12},
};

static void fill_plane(AVFrame *frame, int plane, int width, int height, int level, int depth) {
    for (int row = 0; row < height; row++) {
        uint8_t *bytes = frame->data[plane] + (ptrdiff_t)row * frame->linesize[plane];
        uint16_t *words = (uint16_t *)bytes;
        for (int column = 0; column < width; column++) {
            if (depth > 8) words[column] = (uint16_t)level;
            else bytes[column] = (uint8_t)level;
        }
    }
}

// Widens the levels of a plane from the limited range to the full one, as libavif does with opacity.
static void widen_levels(AVFrame *frame, int plane, int depth) {
    const int least = 16 << (depth - 8), range = 219 << (depth - 8), most = (1 << depth) - 1;
    for (int row = 0; row < frame->height; row++) {
        uint8_t *bytes = frame->data[plane] + (ptrdiff_t)row * frame->linesize[plane];
        uint16_t *words = (uint16_t *)bytes;
        for (int column = 0; column < frame->width; column++) {
            const int level = depth > 8 ? words[column] : bytes[column];
            const int wide = av_clip(((level - least) * most + range / 2) / range, 0, most);
            if (depth > 8) words[column] = (uint16_t)wide;
            else bytes[column] = (uint8_t)wide;
        }
    }
}

int CFFmpegShims_add_opacity(const AVFrame *frame, const AVFrame *opacity, AVFrame *out) {
    const AVPixFmtDescriptor *levels = av_pix_fmt_desc_get(opacity->format);
    enum AVPixelFormat format = AV_PIX_FMT_NONE;
    for (size_t index = 0; index < sizeof formats_with_opacity / sizeof *formats_with_opacity; index++)
        if (formats_with_opacity[index].plain == frame->format) format = formats_with_opacity[index].with_opacity;
    const AVPixFmtDescriptor *described = av_pix_fmt_desc_get(format);
    if (!described || !levels || levels->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) return AVERROR_PATCHWELCOME;
    if (levels->comp[0].depth != described->comp[3].depth || levels->comp[0].step != described->comp[3].step ||
        opacity->width != frame->width || opacity->height != frame->height)
        return AVERROR_PATCHWELCOME;
    out->format = format;
    out->width = frame->width;
    out->height = frame->height;
    int error = av_frame_get_buffer(out, 0);
    if (error >= 0) error = av_frame_copy_props(out, frame);
    if (error < 0) return error;
    for (int plane = 0; plane < 3; plane++) {
        const int is_chroma = plane > 0 && !(described->flags & AV_PIX_FMT_FLAG_RGB);
        const int width = is_chroma ? AV_CEIL_RSHIFT(frame->width, described->log2_chroma_w) : frame->width;
        const int height = is_chroma ? AV_CEIL_RSHIFT(frame->height, described->log2_chroma_h) : frame->height;
        if (!frame->data[plane]) {
            fill_plane(out, plane, width, height, 1 << (described->comp[0].depth - 1), described->comp[0].depth);
            continue;
        }
        av_image_copy_plane(
            out->data[plane], out->linesize[plane], frame->data[plane], frame->linesize[plane],
            width * described->comp[0].step, height);
    }
    av_image_copy_plane(
        out->data[3], out->linesize[3], opacity->data[0], opacity->linesize[0], frame->width * levels->comp[0].step,
        frame->height);
    if (opacity->color_range != AVCOL_RANGE_JPEG) widen_levels(out, 3, levels->comp[0].depth);
    return 0;
}

int CFFmpegShims_has_alpha(const AVFrame *frame) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    return format && (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
}

static int rotation_of(const int32_t *matrix) {
    int32_t copy[9];
    memcpy(copy, matrix, sizeof copy);
    // A negative determinant mirrors; undoing that first leaves a rotation.
    int is_mirrored = (double)copy[0] * copy[4] - (double)copy[1] * copy[3] < 0;
    if (is_mirrored) av_display_matrix_flip(copy, 1, 0);
    double angle = av_display_rotation_get(copy);
    if (isnan(angle)) return 0;
    int quarter = (int)lrint(-angle / 90) & 3;
    return quarter * 90 + (is_mirrored ? 360 : 0);
}

int CFFmpegShims_rotation(const AVStream *stream) {
    size_t size = 0;
    const int32_t *matrix = (const int32_t *)av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return matrix && size >= 9 * sizeof *matrix ? rotation_of(matrix) : 0;
}

int CFFmpegShims_frame_rotation(const AVFrame *frame, int of_stream) {
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? rotation_of((const int32_t *)data->data) : of_stream;
}

void CFFmpegShims_describe(int error, char *text, int capacity) {
    av_strerror(error, text, (size_t)capacity);
}
