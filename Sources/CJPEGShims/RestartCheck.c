// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "RestartCheck.h"

#include <stdint.h>

#define JPEG_INTERNALS
#include <jpegint.h>

/// How the decoders of Huffman codes begin, with one scan and with several.
///
/// Source: libjpeg-turbo 1.0 to 3.1, jdhuff.h, jdhuff.c and jdphuff.c.
typedef struct {
    struct jpeg_entropy_decoder head;
    /// The bits that were read from the file; the last of them are not decoded yet.
    size_t bits;
    int bits_left;
} HuffmanDecoder;

static int has_doubtful_bits(j_decompress_ptr info) {
    // FFmpeg does not read arithmetic codes.
    if (info->arith_code) return 0;
    const HuffmanDecoder *decoder = (const HuffmanDecoder *)info->entropy;
    // A byte more is dropped without a warning; so would a library be found out that keeps something else here.
    if (decoder->bits_left < 0 || decoder->bits_left > 7) return 1;
    const size_t ones = ((size_t)1 << decoder->bits_left) - 1, left = decoder->bits & ones;
    return left != ones && left != 0;
}

void CJPEGShims_note_unit(RestartCheck *check, j_decompress_ptr info) {
    if (check->scan != info->input_scan_number) {
        check->scan = info->input_scan_number;
        check->unit_count = 0;
    }
    check->unit_count++;
    const size_t all = (size_t)info->MCUs_per_row * info->MCU_rows_in_scan;
    // Behind the last unit, every decoder looks for the next marker.
    if (check->unit_count % info->restart_interval || check->unit_count >= all) return;
    if (has_doubtful_bits(info)) check->has_doubtful_bits = 1;
}
