// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// ZBar is not linked but loaded when it is needed, which is in test mode alone: it brings libraries for cameras and
// windows with it. Provided for that reason, as Swift cannot name the types of functions that it does not link.

#ifndef SCA_CZBARSHIMS_H
#define SCA_CZBARSHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads ZBar and what it needs, where it is installed.
void CZBarShims_load(void);

/// The versions of a picture: as it is, smoothed, turned, black and white, and enlarged.
enum { CZBARSHIMS_VERSIONS = 5 };

/// Looks for QR codes in a version of 8-bit RGB pixels without padding, and calls `found` with the text of each.
///
/// - version: from 0 to 4; a large picture is not enlarged, and shows nothing then.
/// - Returns: 0 after a scan; -1 where ZBar is not installed or cannot scan.
int CZBarShims_find_qr_codes(
    const uint8_t *pixels, unsigned width, unsigned height, int version,
    void (*found)(void *context, const char *text, size_t length), void *context);

/// An area of a picture that may show a QR code with its margin, in pixels; it may go beyond the picture.
typedef struct {
    float left, top, width, height;
    /// The length of a module of the code, if the code has 29 along an edge.
    float module;
    /// The likeness of the three corners to those of a code, from 0.5 to 1.
    float likeness;
    /// Whether the code is dark on light.
    bool is_dark;
} CZBarShims_Area;

/// Finds the areas in which three finder patterns lie as in a QR code, dark on light or light on dark.
///
/// - Parameters:
///   - pixels: 8-bit RGB pixels without padding.
///   - areas: the areas that were found, the likeliest first; at most `capacity`.
/// - Returns: the number of areas, or -1 if memory ran out.
int CZBarShims_find_code_areas(
    const uint8_t *pixels, int width, int height, CZBarShims_Area *areas, int capacity);

#endif
