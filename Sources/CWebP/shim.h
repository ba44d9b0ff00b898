// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CWEBP_H
#define SCA_CWEBP_H
#include <webp/decode.h>
#include <webp/encode.h>
#endif
