// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CLIBXML_H
#define SCA_CLIBXML_H
#include <libxml/xmlversion.h>
// The headers would bring the system's ICU, whose types clash with those of Foundation. Only structures of encodings,
// which are not used, have members for it.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/tree.h>
#endif
