// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CLCMS_H
#define SCA_CLCMS_H
#include <lcms2.h>
#endif
