// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CVIPS_H
#define SCA_CVIPS_H
#include <vips/vips.h>
#endif
