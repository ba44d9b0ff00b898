// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// ZBar is not linked but loaded when it is needed, which is in test mode alone: it brings libraries for cameras and
// windows with it. Provided for that reason, as Swift cannot name the types of functions that it does not link.

#ifndef SCA_CZBARSHIMS_H
#define SCA_CZBARSHIMS_H

#include <stddef.h>
#include <stdint.h>

/// Loads ZBar and what it needs, where it is installed.
void CZBarShims_load(void);

/// Looks for QR codes in 8-bit RGB pixels, and calls `found` with the text of each; where there are none, also in the
/// smoothed, the turned, the black and white and, if it is not too large, the enlarged picture.
///
/// - bytes_per_row: from the start of a row to that of the next, at least three times the width.
/// - Returns: 0 after a scan; -1 where ZBar is not installed or cannot scan.
int CZBarShims_find_qr_codes(
    const uint8_t *pixels, unsigned width, unsigned height, size_t bytes_per_row,
    void (*found)(void *context, const char *text, size_t length), void *context);

#endif
