// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CWEBPMUX_H
#define SCA_CWEBPMUX_H
#include <webp/mux.h>
#endif
