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

#include <stdbool.h>
#include <stdint.h>

/// The bits that stay of each former sum. With a choice in its place, a loop has wide registers from AVX-512 on only.
static inline uint16_t kept_bits(bool is_first) { return is_first ? 0 : UINT16_MAX; }

#endif
