// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// libtiff's own conversion to RGB, which libvips does not use: for pictures that libvips cannot read. In C, since libtiff
// reads by a table of functions and reports by functions of variable arguments.

#ifndef SCA_CTIFFSHIMS_H
#define SCA_CTIFFSHIMS_H

#include <stdint.h>

enum {
    CTIFFShims_done = 0,
    /// libtiff cannot convert such pixels, or they have opacity, which it would mix with the colours.
    CTIFFShims_unsupported = 1,
    CTIFFShims_malformed = 2,
};

typedef struct {
    uint32_t width, height;
    /// The EXIF orientation, 1 to 8, which the rows do not obey.
    int orientation;
} CTIFFShims_Picture;

/// Reads the size of a picture that libtiff can convert.
///
/// \param start, size: the part of the file that is the TIFF file.
/// \param directory: the position of the picture's image file directory in it.
int CTIFFShims_read_header(int file, int64_t start, int64_t size, int64_t directory, CTIFFShims_Picture *picture);

/// Converts a picture to RGB of 8 bits, with a fourth byte that is 255.
///
/// \param pixels: room for `width` times `height` times 4 bytes, from the first stored row on.
int CTIFFShims_read_pixels(
    int file, int64_t start, int64_t size, int64_t directory, const CTIFFShims_Picture *picture, uint8_t *pixels);

#endif
