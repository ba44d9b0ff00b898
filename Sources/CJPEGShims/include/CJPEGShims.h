// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// libjpeg reports an error by a function that must not return, and leaves by longjmp, which Swift cannot: provided for
// that reason alone.

#ifndef SCA_CJPEGSHIMS_H
#define SCA_CJPEGSHIMS_H

#include <CPixelLoops.h>
#include <stddef.h>
#include <stdint.h>

#define CJPEGSHIMS_MESSAGE_SIZE 256

/// The shape of the picture as its header has said it.
typedef struct {
    int width;
    int height;
    /// 1: grey. 3: red, green, blue. 4: cyan, magenta, yellow, black, of which 255 is the full ink.
    int bands;
} CJPEGShims_Shape;

/// The samples that several pixels share.
typedef enum {
    CJPEGShims_not_shared,
    CJPEGShims_shared_colors,
    /// Pixels share levels of light as well: of luma, or of red, green or blue.
    CJPEGShims_shared_levels,
} CJPEGShims_Sharing;

/// Takes the next row of a picture, which is valid until it returns; it must not unwind.
typedef struct {
    /// `width` times `bands` bytes.
    void (*row)(void *context, const uint8_t *row);
    /// Levels of luma and colours of a picture whose colours are for one or two pixels in each direction; without this, its
    /// rows come as all others.
    void (*shared_row)(void *context, CPixelLoops_SharedRow row);
} CJPEGShims_TakeRows;

/// Decodes the rows of a JPEG picture, each as a viewer shows it: at full size, and cut off at black and white.
///
/// The decoder's own scaling is not used: it averages before levels are cut off, so a block of 8 by 8 pixels may show
/// another colour than its average. Warnings, which ordinary camera files raise, are passed over up to a hundred, and those
/// that tell of damage are remembered; the end of the file before the end of the picture is an error. Levels so far beyond
/// black and white that FFmpeg wraps them are damage, too: no encoder writes them.
///
/// - start: where the picture begins in the file, in bytes, whatever the position of the descriptor.
/// - shape: the shape that the header has said.
/// - is_smooth: whether shared colours are interpolated, as most programs do; others give each pixel its own one.
/// - sharing: set to how many pixels share a colour.
/// - message: what libjpeg says is wrong, where there is no picture.
/// - Returns: 0; 1 where parts of the picture are damaged, which other decoders may show in another way; or -1 where there
///   is no picture or it has another shape.
int CJPEGShims_decode(
    int descriptor, int64_t start, CJPEGShims_Shape shape, int is_smooth, CJPEGShims_TakeRows take, void *context,
    CJPEGShims_Sharing *sharing, char message[CJPEGSHIMS_MESSAGE_SIZE]);

#endif
