// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CJPEGShims.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>

// The numbers of its messages depend on what jpeglib.h has defined.
#include <jerror.h>

// Where fewer bytes are left than any block can need, up to 3 KiB, libjpeg-turbo takes a path of half the speed: with
// buffers of 4 KiB that is most of the time.
enum { BUFFER_SIZE = 64 * 1024, MESSAGE_SIZE = CJPEGSHIMS_MESSAGE_SIZE };

// Ordinary progressive files have ten scans and broken ones a few warnings. What has many more is made to keep the
// decoder busy: every scan of a few bytes has it walk through the whole picture.
enum { MOST_WARNINGS = 100, MOST_SCANS = 100 };

// All that has to outlive a longjmp.
typedef struct {
    struct jpeg_decompress_struct decompressor;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    char *message;
    // Whether warnings have said that parts of the picture are not what the file was made of.
    int damaged;
    int descriptor;
    off_t offset;
    JSAMPLE *row;
    JOCTET buffer[BUFFER_SIZE];
} Decoder;

static void give_up(Decoder *decoder, const char *reason) {
    snprintf(decoder->message, MESSAGE_SIZE, "%s", reason);
    longjmp(decoder->failed, 1);
}

static void fail(j_common_ptr info) {
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    give_up(info->client_data, text);
}

/// Whether the warning that was raised last is about data without which the picture is another one.
static int tells_of_damage(const struct jpeg_error_mgr *errors) {
    switch (errors->msg_code) {
        case JWRN_ARITH_BAD_CODE:
        case JWRN_BOGUS_PROGRESSION:
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_MUST_RESYNC: return 1;
        // Behind the last row there is nothing to lose, and some cameras leave bytes there.
        case JWRN_EXTRANEOUS_DATA: return errors->msg_parm.i[1] != JPEG_EOI;
        default: return 0;
    }
}

static void pass_over(j_common_ptr info, int level) {
    Decoder *decoder = info->client_data;
    if (level >= 0) return;
    if (tells_of_damage(info->err)) decoder->damaged = 1;
    if (++info->err->num_warnings > MOST_WARNINGS) give_up(decoder, "too many warnings");
}

static void watch(j_common_ptr info) {
    // Set for decompressors only.
    j_decompress_ptr decompressor = (j_decompress_ptr)info;
    if (decompressor->input_scan_number > MOST_SCANS) give_up(info->client_data, "too many scans");
}

static void no_output(j_common_ptr info) { (void)info; }

static void nothing(j_decompress_ptr info) { (void)info; }

static boolean fill(j_decompress_ptr info) {
    Decoder *decoder = info->client_data;
    ssize_t count;
    do count = pread(decoder->descriptor, decoder->buffer, BUFFER_SIZE, decoder->offset);
    while (count < 0 && errno == EINTR);
    if (count < 0) ERREXIT(info, JERR_FILE_READ);
    if (count == 0) ERREXIT(info, JERR_INPUT_EOF);
    decoder->offset += count;
    info->src->next_input_byte = decoder->buffer;
    info->src->bytes_in_buffer = (size_t)count;
    return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
    if (count <= 0) return;
    Decoder *decoder = info->client_data;
    size_t wanted = (size_t)count;
    size_t available = info->src->bytes_in_buffer;
    if (wanted > available) {
        // A position behind the end of the file is noticed when it is read.
        decoder->offset += (off_t)(wanted - available);
        wanted = available;
    }
    info->src->next_input_byte += wanted;
    info->src->bytes_in_buffer -= wanted;
}

static void decode(Decoder *decoder, CJPEGShims_Shape shape, CJPEGShims_TakeRow take, void *context) {
    j_decompress_ptr info = &decoder->decompressor;
    jpeg_read_header(info, TRUE);
    jpeg_start_decompress(info);
    const size_t row_size = (size_t)shape.width * (size_t)shape.bands;
    // Others may write to the file while it is read.
    if (info->output_width != (JDIMENSION)shape.width || info->output_height != (JDIMENSION)shape.height ||
        info->output_components != shape.bands) {
        give_up(decoder, "the file changes while it is read");
    }
    decoder->row = malloc(row_size);
    if (!decoder->row) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    for (int y = 0; y < shape.height; y++) {
        // One row, or an error: the source never asks to be called again.
        if (jpeg_read_scanlines(info, &decoder->row, 1) != 1) ERREXIT(info, JERR_INPUT_EOF);
        // Files with four inks store the paper.
        if (shape.bands == 4)
            for (size_t x = 0; x < row_size; x++) decoder->row[x] = (uint8_t)(255 - decoder->row[x]);
        take(context, decoder->row);
    }
}

int CJPEGShims_decode(
    int descriptor, int64_t start, CJPEGShims_Shape shape, CJPEGShims_TakeRow take, void *context,
    char message[CJPEGSHIMS_MESSAGE_SIZE]) {
    message[0] = 0;
    if (shape.width <= 0 || shape.height <= 0 || shape.width > JPEG_MAX_DIMENSION ||
        shape.height > JPEG_MAX_DIMENSION || (shape.bands != 1 && shape.bands != 3 && shape.bands != 4) || start < 0) {
        snprintf(message, MESSAGE_SIZE, "a shape that no JPEG has");
        return -1;
    }
    Decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) {
        snprintf(message, MESSAGE_SIZE, "out of memory");
        return -1;
    }
    decoder->message = message;
    decoder->descriptor = descriptor;
    decoder->offset = start;
    decoder->decompressor.err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = fail;
    decoder->errors.emit_message = pass_over;
    decoder->errors.output_message = no_output;
    decoder->decompressor.client_data = decoder;

    int result = -1;
    if (setjmp(decoder->failed) == 0) {
        jpeg_create_decompress(&decoder->decompressor);
        decoder->source.init_source = nothing;
        decoder->source.fill_input_buffer = fill;
        decoder->source.skip_input_data = skip;
        decoder->source.resync_to_restart = jpeg_resync_to_restart;
        decoder->source.term_source = nothing;
        decoder->decompressor.src = &decoder->source;
        decoder->progress.progress_monitor = watch;
        decoder->decompressor.progress = &decoder->progress;
        decode(decoder, shape, take, context);
        result = decoder->damaged;
    }
    jpeg_destroy_decompress(&decoder->decompressor);
    free(decoder->row);
    free(decoder);
    return result;
}
