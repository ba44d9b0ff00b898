// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CZBAR_H
#define SCA_CZBAR_H
#include <zbar.h>
#endif
