// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// libjxl is not linked, since it costs every start of a decoder some milliseconds and few files need it: its functions
// are those of the libjxl that libvips's plug-in has brought into the process. Provided for that reason alone, as Swift
// cannot name the types of functions that it does not link.

#ifndef SCA_CJXLSHIMS_H
#define SCA_CJXLSHIMS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t width;
    uint32_t height;
    int is_animated;
    /// Whether colours are multiplied by opacity already.
    int is_premultiplied;
    /// The number of channels beside the colours, with opacity.
    uint32_t extra_channel_count;
    /// Whether one of them is opacity.
    int has_alpha;
} CJxlShims_Header;

enum {
    CJxlShims_found = 0,
    /// The bytes end before the header does.
    CJxlShims_more = 1,
    /// libjxl finds no header.
    CJxlShims_malformed = 2,
    /// There is no libjxl in the process, or it has no memory.
    CJxlShims_failed = 3,
};

/// Reads the header from the first bytes of a file.
int CJxlShims_read_header(const uint8_t *bytes, size_t count, CJxlShims_Header *header);

typedef void (*CJxlShims_TakeBytes)(void *context, const uint8_t *bytes, size_t count);

/// Restores the JPEG file that a JPEG XL file was made of, and passes it to a function.
///
/// \param maximum The most bytes of a JPEG; at least a megabyte is allowed.
/// \returns CJxlShims_found; CJxlShims_more if the JPEG is larger, CJxlShims_malformed if none can be restored.
int CJxlShims_restore_jpeg(
    const uint8_t *bytes, size_t count, size_t maximum, CJxlShims_TakeBytes take, void *context);

#endif
