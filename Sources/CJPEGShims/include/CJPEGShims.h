// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// libjpeg reports an error by a function that must not return, and leaves by longjmp, which Swift cannot: provided for
// that reason alone.

#ifndef SCA_CJPEGSHIMS_H
#define SCA_CJPEGSHIMS_H

#include <stddef.h>
#include <stdint.h>

#define CJPEGSHIMS_MESSAGE_SIZE 256

/// The shape of the picture as its header has said it, before it is reduced.
typedef struct {
    int width;
    int height;
    /// 1: grey. 3: red, green, blue. 4: cyan, magenta, yellow, black, of which 255 is the full ink.
    int bands;
} CJPEGShims_Shape;

/// Decodes the pixels of a JPEG file, reduced by the decoder's own scaling.
///
/// Every file is read from its first byte, whatever the position of the descriptor. Warnings, which ordinary camera
/// files raise, are passed over up to a hundred, and those that tell of damage are remembered; the end of the file before
/// the end of the picture is an error.
///
/// - denominator: 1, 2, 4 or 8. The result has width / denominator times height / denominator pixels; what is left of
///   a row and of the rows is dropped.
/// - pixels: room for the result, 8 bits a band, row after row without padding; `size` is its size in bytes.
/// - message: what libjpeg says is wrong, where there is no picture.
/// - Returns: 0; 1 where parts of the picture are damaged, which other decoders may show in another way; or -1 where there
///   is no picture or it has another shape.
int CJPEGShims_decode(
    int descriptor, CJPEGShims_Shape shape, int denominator, uint8_t *pixels, size_t size,
    char message[CJPEGSHIMS_MESSAGE_SIZE]);

#endif
