// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CGCRYPT_H
#define SCA_CGCRYPT_H
#include <gcrypt.h>

/// Makes libgcrypt ready, unless the app or another library has done so. Returns whether it is of version 1.8 or later.
/// Secure memory is neither asked for nor switched off: hashes need none, and the process belongs to somebody else.
/// Provided because gcry_control is variadic, which Swift cannot call.
static inline int CGcrypt_initialize(void) {
    if (!gcry_check_version("1.8.0")) return 0;
    if (!gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return 1;
}

#endif
