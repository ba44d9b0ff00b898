// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Looks at the bits before each restart marker. libjpeg-turbo drops them, whatever they are. FFmpeg reads on behind the marker
// only where they are all ones or all zeros, and fewer than eight; of others, it decodes the marker as data.

#ifndef SCA_RESTARTCHECK_H
#define SCA_RESTARTCHECK_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

/// The state of the check of a picture's restart markers.
typedef struct {
    /// The scan that is decoded, and how many of its units are.
    int scan;
    size_t unit_count;
    /// Whether decoders disagree about a marker.
    int has_doubtful_bits;
} RestartCheck;

/// Notes that a unit of blocks of a picture with restart markers was decoded, and looks at the bits behind it where a marker
/// comes next.
void CJPEGShims_note_unit(RestartCheck *check, j_decompress_ptr info);

#endif
