// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The files of InterventionKit as parts of the program, since a bundle could be missing beside it. In C, because Swift's
// compiler takes ten seconds for an array of 80,000 numbers, which `embedInCode` of the package manager makes.

#ifndef SCA_CINTERVENTIONFILES_H
#define SCA_CINTERVENTIONFILES_H

#include <stddef.h>
#include <stdint.h>

/// A file that is part of the program.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} CInterventionFiles_File;

/// InterventionKit/Words/Words.xcstrings.
CInterventionFiles_File CInterventionFiles_words(void);

/// InterventionKit/Help/HelpResources.json.
CInterventionFiles_File CInterventionFiles_help(void);

#endif
