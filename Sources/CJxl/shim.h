// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CJXL_H
#define SCA_CJXL_H
#include <jxl/decode.h>
#endif
