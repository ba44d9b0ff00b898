// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The files that `sca test-pattern` writes, as parts of the program, because the command links no encoder. In C, because
// Swift's compiler takes long for such arrays. scripts/generate-test-pattern makes the files.

#ifndef SCA_CTESTPATTERNFILES_H
#define SCA_CTESTPATTERNFILES_H

#include <stddef.h>
#include <stdint.h>

/// A file that is part of the program.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} CTestPatternFiles_File;

CTestPatternFiles_File CTestPatternFiles_sexuallyExplicitPNG(void);
CTestPatternFiles_File CTestPatternFiles_sexuallyExplicitGIF(void);
CTestPatternFiles_File CTestPatternFiles_sexuallyExplicitMP4(void);
CTestPatternFiles_File CTestPatternFiles_goreOrViolencePNG(void);
CTestPatternFiles_File CTestPatternFiles_goreOrViolenceGIF(void);
CTestPatternFiles_File CTestPatternFiles_goreOrViolenceMP4(void);

#endif
