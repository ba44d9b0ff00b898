// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_GREY_H
#define SCA_GREY_H

#include <stddef.h>
#include <stdint.h>

/// Writes the brightness of each 8-bit RGB pixel, weighted as in Recommendation BT.601.
void CZBarShims_make_grey(uint8_t *target, const uint8_t *source, size_t count);

#endif
