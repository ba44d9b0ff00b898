// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Shared by the files that open media; Swift does not see it.

#ifndef SCA_CFFMPEGSHIMS_OPENING_H
#define SCA_CFFMPEGSHIMS_OPENING_H

#include "CFFmpegShims.h"

// Prepares a context for input of our own: nothing but that may be read, whatever the media says.
void sca_use_input(AVFormatContext *context, AVIOContext *input);

// The options with which media is opened: one demuxer, some codecs, no protocol, no reference to other files.
AVDictionary *sca_closed_options(const AVInputFormat *demuxer, const char *codecs);

#endif
