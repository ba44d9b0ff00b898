// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The parts of FFmpeg's encoders that Swift cannot use itself.

#ifndef SCA_CVIDEOENCODERSHIMS_H
#define SCA_CVIDEOENCODERSHIMS_H

#include <stdint.h>

/// An encoder of H.264 in MP4, which holds its packets until the film is complete.
typedef struct CVideoEncoderShims_Film CVideoEncoderShims_Film;

/// Keeps FFmpeg's own messages from the terminal, and finds out whether libx264 is there. Returns 1 if it is.
int CVideoEncoderShims_start(void);

/// Starts a film. The size is that of the frames; films have edges of an even number of pixels.
/// - factor: x264's constant rate factor; less is better.
/// Returns 0, or an AVERROR.
/// Provided because the encoder takes dictionaries of options.
int CVideoEncoderShims_open(CVideoEncoderShims_Film **film, int width, int height, int factor);

/// Adds a frame of RGB, or of RGBA that is laid over a background, in rows without padding.
/// - start, end: the time of the frame in microseconds; it starts where the last one ends, or later.
/// Returns 0, or an AVERROR.
/// Provided because the encoder takes arrays of pointers.
int CVideoEncoderShims_add(
    CVideoEncoderShims_Film *film, const uint8_t *pixels, int channels, const uint8_t background[3], int64_t start,
    int64_t end);

/// Ends the film, and writes its file into new memory, with the index before the frames. The caller frees the memory with
/// CVideoEncoderShims_free_file. Returns 0, or an AVERROR.
/// Provided because custom output and its callbacks are C functions.
int CVideoEncoderShims_finish(CVideoEncoderShims_Film *film, uint8_t **file, int64_t *byte_count);
void CVideoEncoderShims_free_file(void *file);

/// Frees a film, also an unfinished one.
void CVideoEncoderShims_close(CVideoEncoderShims_Film *film);

/// The words for an AVERROR, and whether it says that memory ran out. Provided because the errors are macros.
void CVideoEncoderShims_describe(int error, char *text, int capacity);
int CVideoEncoderShims_is_shortage(int error);

#endif
