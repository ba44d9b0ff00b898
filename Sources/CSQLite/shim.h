// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CSQLITE_H
#define SCA_CSQLITE_H
#include <sqlite3.h>
#endif
