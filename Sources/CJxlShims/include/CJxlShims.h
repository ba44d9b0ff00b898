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
    /// There is no libjxl in the process, or it has no memory, or a limit is exceeded.
    CJxlShims_failed = 3,
    /// There are no further frames.
    CJxlShims_end = 4,
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

/// An animation that is decoded frame by frame.
typedef struct CJxlShims_Animation CJxlShims_Animation;

typedef struct {
    uint32_t width;
    uint32_t height;
    /// 3 for RGB, 4 for RGB with opacity; the frame's 8-bit samples are in rows without padding.
    uint32_t channel_count;
    /// The duration in ticks, and the number of ticks in a number of seconds.
    uint32_t duration, ticks, seconds;
    /// How often the animation is shown; 0 means without end.
    uint32_t loop_count;
    /// The pixels and their colour profile, both valid until the next call; null if none were decoded.
    const uint8_t *pixels;
    const uint8_t *profile;
    size_t profile_size;
} CJxlShims_Frame;

/// Opens an animation in a part of a file.
///
/// \param decodes_pixels 0 if only the headers of the frames are read.
/// \returns NULL if there is no libjxl in the process, or no memory.
CJxlShims_Animation *CJxlShims_open_animation(int file, int64_t start, int64_t count, int decodes_pixels);

/// Decodes the next frame as it is shown, drawn over the frames before it.
///
/// \returns CJxlShims_found, or CJxlShims_end; CJxlShims_more if the file is cut off.
int CJxlShims_next_frame(CJxlShims_Animation *animation, int64_t maximum_pixels, CJxlShims_Frame *out);

void CJxlShims_close_animation(CJxlShims_Animation *animation);

#endif
