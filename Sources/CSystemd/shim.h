// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CSYSTEMD_H
#define SCA_CSYSTEMD_H
#include <systemd/sd-bus.h>
#endif
