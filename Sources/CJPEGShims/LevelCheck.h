// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Finds pictures with levels so far beyond black and white that decoders show different ones. libjpeg-turbo cuts such levels
// off, FFmpeg's transform has 16 bits and wraps.

#ifndef SCA_LEVELCHECK_H
#define SCA_LEVELCHECK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

#include "RestartCheck.h"

/// The state of the check of a picture's levels.
typedef struct {
    /// The transforms that are watched; null where they are not.
    void (*transforms[MAX_COMPONENTS])(
        j_decompress_ptr, jpeg_component_info *, JCOEFPTR, JSAMPARRAY, JDIMENSION);
    /// How many blocks the picture has, and how many of those looked at have a level beyond the range.
    size_t block_count, beyond_count;
    /// How many samples were cut off at black or white before blocks were looked at.
    size_t cut_off_count;
    int is_watching;
    /// The decoder of the next blocks; and whether any block is so far out that FFmpeg loses count.
    boolean (*decode_mcu)(j_decompress_ptr, JBLOCKROW *);
    int has_far_block;
    RestartCheck restarts;
    /// The largest first coefficient of each block of the scan that FFmpeg can count with.
    int most[D_MAX_BLOCKS_IN_MCU];
    /// The cosine of each frequency for each place, with the factor of the transform.
    float cosines[DCTSIZE][DCTSIZE];
} LevelCheck;

/// Has the blocks of a scan looked at while they are decoded. Called before the first block of each scan, since libjpeg may
/// choose another decoder for each.
void CJPEGShims_watch_blocks(LevelCheck *check, j_decompress_ptr info);

/// Begins with a picture, whose decompressor has started.
///
/// - is_cheap: whether blocks are looked at only when samples have been cut off, of which `CJPEGShims_note_levels` is told;
///   levels beyond the range are always cut off.
void CJPEGShims_start_level_check(LevelCheck *check, j_decompress_ptr info, int is_cheap);

/// Notes a row of samples of which each belongs to a block that was decoded since the last note.
void CJPEGShims_note_levels(LevelCheck *check, j_decompress_ptr info, const JSAMPLE *row, size_t count);

/// Whether decoders may show another picture: by blocks beyond the range, or by restart markers that some do not see.
int CJPEGShims_is_shown_differently(const LevelCheck *check);

/// The check of a picture, by its decompressor.
LevelCheck *CJPEGShims_level_check(j_decompress_ptr info);

#endif
