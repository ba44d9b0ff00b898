// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CInterventionFiles.h"

// Files are embedded by C23, and by clang in every dialect.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t words[] = {
#embed "../InterventionKit/Words/Words.xcstrings"
};

static const uint8_t help[] = {
#embed "../InterventionKit/Help/HelpResources.json"
};

CInterventionFiles_File CInterventionFiles_words(void) { return (CInterventionFiles_File){words, sizeof words}; }

CInterventionFiles_File CInterventionFiles_help(void) { return (CInterventionFiles_File){help, sizeof help}; }
