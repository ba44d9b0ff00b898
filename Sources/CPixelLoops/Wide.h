// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CPIXELLOOPS_WIDE_H
#define SCA_CPIXELLOOPS_WIDE_H

// Whole numbers are the same in registers of every width, so wider ones are used where the processor has them.
#if defined(__x86_64__) && defined(__linux__)
#define WIDE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define WIDE
#endif

#endif
