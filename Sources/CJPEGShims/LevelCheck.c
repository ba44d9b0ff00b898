// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "LevelCheck.h"

#include <CPixelLoops.h>
#include <math.h>
#include <stdlib.h>

// The transforms are no part of jpeglib.h. libjpeg-turbo's development package has this header, too.
#define JPEG_INTERNALS
#include <jpegint.h>

enum {
    // FFmpeg's transform is exact for levels from -256 to 511, and rounds by less than this.
    ROUNDING = 6,
    LOWEST_LEVEL = -256 + ROUNDING,
    HIGHEST_LEVEL = 511 - ROUNDING,
    // A smaller part of the picture makes no difference to a verdict.
    SMALLEST_SHARE = 256,
};

/// Whether no level of the block can be beyond the range.
///
/// A cosine of any other coefficient than the first has at most twice the height of the first. Source: ITU-T T.81, A.3.3.
static int is_within(const JCOEF *coefficients, const UINT16 *factors) {
    // Eight times the most by which a level may differ from 128.
    const uint32_t most = 8 * (128 - LOWEST_LEVEL);
    const uint32_t first = (uint32_t)abs(coefficients[0]) * factors[0];
    if (first > most) return 0;
    return 2 * CPixelLoops_bounded_length(coefficients, factors, DCTSIZE2, most) <= most + first;
}

/// Whether a level of the block is beyond the range, by the inverse transform with exact cosines.
static int is_beyond(const LevelCheck *check, const JCOEF *coefficients, const UINT16 *factors) {
    float rows[DCTSIZE][DCTSIZE] = {{0}}, levels[DCTSIZE][DCTSIZE] = {{0}};
    for (int v = 0; v < DCTSIZE; v++) {
        for (int u = 0; u < DCTSIZE; u++) {
            const int index = v * DCTSIZE + u;
            const float coefficient = (float)coefficients[index] * (float)factors[index];
            for (int x = 0; x < DCTSIZE; x++) rows[v][x] += coefficient * check->cosines[u][x];
        }
    }
    for (int y = 0; y < DCTSIZE; y++)
        for (int v = 0; v < DCTSIZE; v++)
            for (int x = 0; x < DCTSIZE; x++) levels[y][x] += check->cosines[v][y] * rows[v][x];
    for (int y = 0; y < DCTSIZE; y++)
        for (int x = 0; x < DCTSIZE; x++)
            if (levels[y][x] < LOWEST_LEVEL - 128 || levels[y][x] > HIGHEST_LEVEL - 128) return 1;
    return 0;
}

static void transform(
    j_decompress_ptr info, jpeg_component_info *part, JCOEFPTR coefficients, JSAMPARRAY rows, JDIMENSION column
) {
    LevelCheck *check = CJPEGShims_level_check(info);
    const UINT16 *factors = part->quant_table->quantval;
    if (!is_within(coefficients, factors) && is_beyond(check, coefficients, factors)) check->beyond_count++;
    check->transforms[part->component_index](info, part, coefficients, rows, column);
}

static void watch(LevelCheck *check, j_decompress_ptr info) {
    check->is_watching = 1;
    for (int u = 0; u < DCTSIZE; u++)
        for (int x = 0; x < DCTSIZE; x++)
            check->cosines[u][x] = (u ? 0.5f : 0.353553391f) * cosf((float)((2 * x + 1) * u) * 0.196349541f);
    for (int index = 0; index < info->num_components; index++) {
        check->transforms[index] = info->idct->inverse_DCT[index];
        info->idct->inverse_DCT[index] = transform;
    }
}

// FFmpeg keeps what the first coefficient of the next block counts from within 16 bits, with its factor. From a block beyond
// that on, all blocks are others, also where the block itself lies outside of the picture.
static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks) {
    LevelCheck *check = CJPEGShims_level_check(info);
    const boolean result = check->decode_mcu(info, blocks);
    if (result && info->restart_interval) CJPEGShims_note_unit(&check->restarts, info);
    if (!result || !blocks) return result;
    for (int index = 0; index < info->blocks_in_MCU; index++) {
        const int first = (*blocks[index])[0], most = check->most[index];
        if (first > most || first < -most) check->has_far_block = 1;
    }
    return result;
}

void CJPEGShims_watch_blocks(LevelCheck *check, j_decompress_ptr info) {
    if (!info->entropy) return;
    for (int index = 0; index < info->blocks_in_MCU; index++) {
        const JQUANT_TBL *table = info->cur_comp_info[info->MCU_membership[index]]->quant_table;
        // libjpeg cuts the coefficient itself off at 16 bits, which it reaches in steps of at most half of that.
        check->most[index] = INT16_MAX / (table && table->quantval[0] > 2 ? table->quantval[0] : 2);
    }
    if (info->entropy->decode_mcu == decode_mcu) return;
    check->decode_mcu = info->entropy->decode_mcu;
    info->entropy->decode_mcu = decode_mcu;
}

void CJPEGShims_start_level_check(LevelCheck *check, j_decompress_ptr info, int is_cheap) {
    for (int index = 0; index < info->num_components; index++)
        check->block_count += (size_t)info->comp_info[index].width_in_blocks * info->comp_info[index].height_in_blocks;
    if (!is_cheap) watch(check, info);
}

void CJPEGShims_note_levels(LevelCheck *check, j_decompress_ptr info, const JSAMPLE *row, size_t count) {
    if (check->is_watching) return;
    check->cut_off_count += CPixelLoops_count_extremes(row, count);
    if (check->cut_off_count > check->block_count * DCTSIZE2 / SMALLEST_SHARE) watch(check, info);
}

int CJPEGShims_is_shown_differently(const LevelCheck *check) {
    return check->has_far_block || check->restarts.has_doubtful_bits ||
           check->beyond_count * SMALLEST_SHARE > check->block_count;
}
