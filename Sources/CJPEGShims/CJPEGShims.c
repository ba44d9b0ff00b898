// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CJPEGShims.h"
#include "LevelCheck.h"

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
enum { BUFFER_SIZE = 256 * 1024, MESSAGE_SIZE = CJPEGSHIMS_MESSAGE_SIZE };

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
    LevelCheck levels;
    int descriptor;
    off_t offset;
    JSAMPLE *row;
    /// Two strips of samples, one behind the other, and the last row of each colour of the strip before.
    JSAMPLE *strips;
    JOCTET buffer[BUFFER_SIZE];
} Decoder;

LevelCheck *CJPEGShims_level_check(j_decompress_ptr info) {
    Decoder *decoder = info->client_data;
    return &decoder->levels;
}

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
static int tells_of_damage(j_common_ptr info) {
    const struct jpeg_error_mgr *errors = info->err;
    switch (errors->msg_code) {
        case JWRN_ARITH_BAD_CODE:
        case JWRN_BOGUS_PROGRESSION:
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_MUST_RESYNC: return 1;
        // Behind the last row there is nothing to lose, and some cameras leave bytes there. Others leave bytes between
        // the segments before the first scan, and every program looks for the next marker there.
        case JWRN_EXTRANEOUS_DATA:
            return errors->msg_parm.i[1] != JPEG_EOI && ((j_decompress_ptr)info)->input_scan_number > 0;
        default: return 0;
    }
}

static void pass_over(j_common_ptr info, int level) {
    Decoder *decoder = info->client_data;
    if (level >= 0) return;
    if (tells_of_damage(info)) decoder->damaged = 1;
    if (++info->err->num_warnings > MOST_WARNINGS) give_up(decoder, "too many warnings");
}

static void watch(j_common_ptr info) {
    // Set for decompressors only.
    j_decompress_ptr decompressor = (j_decompress_ptr)info;
    if (decompressor->input_scan_number > MOST_SCANS) give_up(info->client_data, "too many scans");
    // Called before each row of blocks of a file with several scans, and once in others.
    CJPEGShims_watch_blocks(CJPEGShims_level_check(decompressor), decompressor);
}

static void no_output(j_common_ptr info) { (void)info; }

static void nothing(j_decompress_ptr info) { (void)info; }

static boolean fill(j_decompress_ptr info) {
    Decoder *decoder = info->client_data;
    ssize_t count;
    do count = pread(decoder->descriptor, decoder->buffer, BUFFER_SIZE, decoder->offset);
    while (count < 0 && errno == EINTR);
    if (count < 0) ERREXIT(info, JERR_FILE_READ);
    if (count == 0) {
        // Some cameras leave the end marker out. If coded data are missing as well, libjpeg warns of that.
        static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
        WARNMS(info, JWRN_JPEG_EOF);
        info->src->next_input_byte = end_marker;
        info->src->bytes_in_buffer = sizeof end_marker;
        return TRUE;
    }
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

/// How many columns and rows share a colour, where luma is for one pixel each, and levels come from the decoder as they are.
typedef struct {
    int columns, rows;
} SharedPixels;

/// Whether colours are for one or two pixels in each direction, and luma for one. Sets how many.
static int has_usual_sharing(const struct jpeg_decompress_struct *info, SharedPixels *shared) {
    const jpeg_component_info *parts = info->comp_info;
    if (info->num_components != 3 || info->jpeg_color_space != JCS_YCbCr || info->out_color_space != JCS_RGB) return 0;
    for (int index = 1; index < 3; index++)
        if (parts[index].h_samp_factor != 1 || parts[index].v_samp_factor != 1) return 0;
    *shared = (SharedPixels){parts[0].h_samp_factor, parts[0].v_samp_factor};
    return shared->columns <= 2 && shared->rows <= 2;
}

static CJPEGShims_Sharing sharing(const struct jpeg_decompress_struct *info) {
    // The first and the fourth part are luma and black where others are colours.
    const int has_colors = info->jpeg_color_space == JCS_YCbCr || info->jpeg_color_space == JCS_YCCK;
    int is_shared = 0;
    for (int index = 0; index < info->num_components; index++) {
        const jpeg_component_info *part = &info->comp_info[index];
        if (part->h_samp_factor == info->max_h_samp_factor && part->v_samp_factor == info->max_v_samp_factor) continue;
        if (!has_colors || index % 3 == 0) return CJPEGShims_shared_levels;
        is_shared = 1;
    }
    return is_shared ? CJPEGShims_shared_colors : CJPEGShims_not_shared;
}

// The most rows that are decoded at once.
enum { MOST_STRIP_ROWS = 2 * DCTSIZE, COLOR_ROWS = DCTSIZE, LEAST_STRIPS = 64 };

/// A strip of rows, and where it is in the picture.
typedef struct {
    JSAMPROW luma[MOST_STRIP_ROWS], blue[COLOR_ROWS], red[COLOR_ROWS];
} Strip;

static void read_strip(j_decompress_ptr info, Strip *strip, SharedPixels shared) {
    JSAMPARRAY planes[3] = {strip->luma, strip->blue, strip->red};
    const int rows = shared.rows * DCTSIZE;
    if (jpeg_read_raw_data(info, planes, (JDIMENSION)rows) != (JDIMENSION)rows) ERREXIT(info, JERR_INPUT_EOF);
    LevelCheck *levels = CJPEGShims_level_check(info);
    const size_t width = info->output_width, color_width = width / (size_t)shared.columns;
    for (int y = 0; y < rows; y++) CJPEGShims_note_levels(levels, info, strip->luma[y], width);
    for (int y = 0; y < COLOR_ROWS; y++) {
        CJPEGShims_note_levels(levels, info, strip->blue[y], color_width);
        CJPEGShims_note_levels(levels, info, strip->red[y], color_width);
    }
}

/// Hands over the rows of a strip, with the rows of colours around them.
static void hand_over(
    const Strip *strip, const JSAMPROW above[2], const Strip *below, int rows, SharedPixels shared,
    CJPEGShims_TakeRows take, void *context
) {
    const int last = (rows + shared.rows - 1) / shared.rows - 1;
    for (int y = 0; y < rows; y++) {
        const int near = y / shared.rows;
        CPixelLoops_SharedRow row = {
            .columns = (uint8_t)shared.columns,
            .rows = (uint8_t)shared.rows,
            .luma = strip->luma[y],
            .blue = {strip->blue[near], strip->blue[near]},
            .red = {strip->red[near], strip->red[near]}};
        if (shared.rows == 2 && y % 2 == 0) {
            row.blue[1] = near > 0 ? strip->blue[near - 1] : above[0];
            row.red[1] = near > 0 ? strip->red[near - 1] : above[1];
        } else if (shared.rows == 2) {
            row.blue[1] = near < last ? strip->blue[near + 1] : below ? below->blue[0] : strip->blue[near];
            row.red[1] = near < last ? strip->red[near + 1] : below ? below->red[0] : strip->red[near];
        }
        take.shared_row(context, row);
    }
}

static void decode_shared(
    Decoder *decoder, CJPEGShims_Shape shape, SharedPixels shared, CJPEGShims_TakeRows take, void *context
) {
    j_decompress_ptr info = &decoder->decompressor;
    // Samples are written in whole blocks, and taken in whole groups.
    const size_t length = ((size_t)shape.width + CPIXELLOOPS_GROUP - 1) / CPIXELLOOPS_GROUP * CPIXELLOOPS_GROUP;
    const size_t color_length = length / (size_t)shared.columns;
    const int strip_rows = shared.rows * DCTSIZE;
    const size_t strip_size = (size_t)strip_rows * length + 2 * COLOR_ROWS * color_length;
    decoder->strips = calloc(2 * strip_size + 2 * color_length, 1);
    if (!decoder->strips) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    Strip strips[2];
    for (int index = 0; index < 2; index++) {
        JSAMPLE *next = decoder->strips + (size_t)index * strip_size;
        for (int y = 0; y < strip_rows; y++, next += length) strips[index].luma[y] = next;
        for (int y = 0; y < COLOR_ROWS; y++, next += color_length) strips[index].blue[y] = next;
        for (int y = 0; y < COLOR_ROWS; y++, next += color_length) strips[index].red[y] = next;
    }
    const JSAMPROW above[2] = {
        decoder->strips + 2 * strip_size, decoder->strips + 2 * strip_size + color_length};
    const int count = (shape.height + strip_rows - 1) / strip_rows;
    for (int index = 0; index < count; index++) {
        Strip *strip = &strips[index % 2], *next = index + 1 < count ? &strips[(index + 1) % 2] : NULL;
        if (index == 0) {
            read_strip(info, strip, shared);
            memcpy(above[0], strip->blue[0], color_length);
            memcpy(above[1], strip->red[0], color_length);
        }
        if (next) read_strip(info, next, shared);
        const int rest = shape.height - index * strip_rows;
        hand_over(strip, above, next, rest < strip_rows ? rest : strip_rows, shared, take, context);
        memcpy(above[0], strip->blue[COLOR_ROWS - 1], color_length);
        memcpy(above[1], strip->red[COLOR_ROWS - 1], color_length);
    }
}

static CJPEGShims_Sharing decode(
    Decoder *decoder, CJPEGShims_Shape shape, int is_smooth, CJPEGShims_TakeRows take, void *context
) {
    j_decompress_ptr info = &decoder->decompressor;
    jpeg_read_header(info, TRUE);
    const CJPEGShims_Sharing result = sharing(info);
    SharedPixels shared;
    const int is_raw = take.shared_row && has_usual_sharing(info, &shared);
    info->raw_data_out = is_raw;
    info->do_fancy_upsampling = is_smooth;
    jpeg_start_decompress(info);
    const size_t row_size = (size_t)shape.width * (size_t)shape.bands;
    // Others may write to the file while it is read.
    if (info->output_width != (JDIMENSION)shape.width || info->output_height != (JDIMENSION)shape.height ||
        info->output_components != shape.bands) {
        give_up(decoder, "the file changes while it is read");
    }
    CJPEGShims_watch_blocks(&decoder->levels, info);
    // A strip that is not looked at must be a small part of the picture.
    CJPEGShims_start_level_check(&decoder->levels, info, is_raw && shape.height > LEAST_STRIPS * MOST_STRIP_ROWS);
    if (is_raw) {
        decode_shared(decoder, shape, shared, take, context);
        return result;
    }
    decoder->row = malloc(row_size);
    if (!decoder->row) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    for (int y = 0; y < shape.height; y++) {
        // One row, or an error: the source never asks to be called again.
        if (jpeg_read_scanlines(info, &decoder->row, 1) != 1) ERREXIT(info, JERR_INPUT_EOF);
        // Files with four inks store the paper.
        if (shape.bands == 4)
            for (size_t x = 0; x < row_size; x++) decoder->row[x] = (uint8_t)(255 - decoder->row[x]);
        take.row(context, decoder->row);
    }
    return result;
}

int CJPEGShims_decode(
    int descriptor, int64_t start, CJPEGShims_Shape shape, int is_smooth, CJPEGShims_TakeRows take, void *context,
    CJPEGShims_Sharing *sharing, char message[CJPEGSHIMS_MESSAGE_SIZE]) {
    message[0] = 0;
    *sharing = CJPEGShims_not_shared;
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
        *sharing = decode(decoder, shape, is_smooth, take, context);
        result = decoder->damaged || CJPEGShims_is_shown_differently(&decoder->levels);
    }
    jpeg_destroy_decompress(&decoder->decompressor);
    free(decoder->row);
    free(decoder->strips);
    free(decoder);
    return result;
}
