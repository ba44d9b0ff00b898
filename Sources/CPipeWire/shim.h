// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Only C includes PipeWire's headers: Swift calls CPipeWireShims, and links the library through this module.

#ifndef SCA_CPIPEWIRE_H
#define SCA_CPIPEWIRE_H
#include <stdint.h>
#endif
