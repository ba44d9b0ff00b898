// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CPIXELLOOPS_BLOCKS_H
#define SCA_CPIXELLOOPS_BLOCKS_H

#include <stdint.h>

// The samples of one of `count` blocks along a length; a block without a sample gets the nearest one.
struct block {
    int start, end;
};

static inline struct block block_at(int index, int count, int length) {
    int start = (int)((int64_t)length * index / count), end = (int)((int64_t)length * (index + 1) / count);
    return (struct block){start, end > start ? end : start + 1};
}

#endif
