// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CTestPatternFiles.h"

// Files are embedded by C23, and by clang in every dialect.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t sexually_explicit_png[] = {
#embed "Files/sexuallyExplicit.png"
};

static const uint8_t sexually_explicit_gif[] = {
#embed "Files/sexuallyExplicit.gif"
};

static const uint8_t sexually_explicit_mp4[] = {
#embed "Files/sexuallyExplicit.mp4"
};

static const uint8_t gore_or_violence_png[] = {
#embed "Files/goreOrViolence.png"
};

static const uint8_t gore_or_violence_gif[] = {
#embed "Files/goreOrViolence.gif"
};

static const uint8_t gore_or_violence_mp4[] = {
#embed "Files/goreOrViolence.mp4"
};

#define FILE_OF(bytes) ((CTestPatternFiles_File){bytes, sizeof bytes})

CTestPatternFiles_File CTestPatternFiles_sexuallyExplicitPNG(void) { return FILE_OF(sexually_explicit_png); }
CTestPatternFiles_File CTestPatternFiles_sexuallyExplicitGIF(void) { return FILE_OF(sexually_explicit_gif); }
CTestPatternFiles_File CTestPatternFiles_sexuallyExplicitMP4(void) { return FILE_OF(sexually_explicit_mp4); }
CTestPatternFiles_File CTestPatternFiles_goreOrViolencePNG(void) { return FILE_OF(gore_or_violence_png); }
CTestPatternFiles_File CTestPatternFiles_goreOrViolenceGIF(void) { return FILE_OF(gore_or_violence_gif); }
CTestPatternFiles_File CTestPatternFiles_goreOrViolenceMP4(void) { return FILE_OF(gore_or_violence_mp4); }
