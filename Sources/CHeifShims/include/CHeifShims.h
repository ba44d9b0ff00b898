// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Decoders of HEVC and AV1 for libheif, by the libraries that it uses itself: libheif makes colours of whole pixels in one
// way of two, differently from version to version, and viewers show both. In C, since libheif calls tables of functions.
//
// libde265 and libdav1d are not linked, since few files need them: libheif has brought them into the process.

#ifndef SCA_CHEIFSHIMS_H
#define SCA_CHEIFSHIMS_H

#include <stdbool.h>
#include <stddef.h>

/// Registers the decoders with the libheif of the process; call it once, after libheif is loaded and before the process is
/// closed. A format of which the library is missing is refused from then on.
///
/// - Returns: 0, or -1 where there is no libheif in the process.
int CHeifShims_start(void);

/// The levels that libheif gets for a coded picture.
typedef enum {
    /// Its levels, with interpolated colours.
    CHeifShims_smooth,
    /// Its levels, where pixels have the colour that they share.
    CHeifShims_nearest,
    /// The highest brightness everywhere. Pictures that were decoded before are not decoded again.
    CHeifShims_marked
} CHeifShims_Mode;

/// A layer of AV1 data, each of which is a picture.
typedef struct {
    /// The number of the layer among those of its operating point; −1 for the picture that most programs show.
    int number;
    /// The operating point, which leaves out some layers.
    int point;
    /// The size of the picture, before or after a quarter turn; smaller layers are enlarged to it.
    int width, height;
} CHeifShims_Layer;

/// Chooses what libheif gets from now on, and forgets what was noticed before.
///
/// - width, height: the size of the picture, in pixels.
void CHeifShims_begin(CHeifShims_Mode mode, int width, int height, CHeifShims_Layer layer);

/// Whether neighbouring colours of what was decoded since then differ so much that the other way may show another picture.
///
/// Only interpolated pictures are compared; false otherwise.
bool CHeifShims_is_rough(void);

/// How many coded pictures libheif got since then.
size_t CHeifShims_picture_count(void);

/// The bounds of the sizes of several pictures, in pixels.
typedef struct {
    int smallest_width, smallest_height, largest_width, largest_height;
} CHeifShims_Sizes;

/// The bounds of the sizes of the coded pictures that libheif got since then.
CHeifShims_Sizes CHeifShims_sizes(void);

/// Whether a library has told of damage in what was decoded since then, or could not decode it.
bool CHeifShims_is_damaged(void);

#endif
