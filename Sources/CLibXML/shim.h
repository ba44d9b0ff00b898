// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CLIBXML_H
#define SCA_CLIBXML_H
#include <libxml/parser.h>
#include <libxml/tree.h>
#endif
