// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CZLIB_H
#define SCA_CZLIB_H
#include <zlib.h>
#endif
