// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CJxlShims.h"

#include <dlfcn.h>
#include <string.h>

#include <jxl/decode.h>

#define FUNCTIONS(FUNCTION)            \
    FUNCTION(JxlDecoderCreate)         \
    FUNCTION(JxlDecoderDestroy)        \
    FUNCTION(JxlDecoderSubscribeEvents) \
    FUNCTION(JxlDecoderSetInput)       \
    FUNCTION(JxlDecoderProcessInput)   \
    FUNCTION(JxlDecoderGetBasicInfo)

typedef struct {
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
} Library;

static int find(Library *library) {
#define FIND(name)                                    \
    {                                                 \
        void *found = dlsym(RTLD_DEFAULT, #name);     \
        if (!found) return -1;                        \
        memcpy(&library->name, &found, sizeof found); \
    }
    FUNCTIONS(FIND)
    return 0;
}

int CJxlShims_read_header(const uint8_t *bytes, size_t count, CJxlShims_Header *header) {
    Library jxl;
    if (find(&jxl)) return CJxlShims_failed;
    JxlDecoder *decoder = jxl.JxlDecoderCreate(NULL);
    if (!decoder) return CJxlShims_failed;
    int result = CJxlShims_failed;
    if (jxl.JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO) == JXL_DEC_SUCCESS &&
        jxl.JxlDecoderSetInput(decoder, bytes, count) == JXL_DEC_SUCCESS) {
        JxlDecoderStatus status = jxl.JxlDecoderProcessInput(decoder);
        JxlBasicInfo info;
        if (status == JXL_DEC_NEED_MORE_INPUT) {
            result = CJxlShims_more;
        } else if (status != JXL_DEC_BASIC_INFO || jxl.JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS) {
            result = CJxlShims_malformed;
        } else {
            *header = (CJxlShims_Header){
                .width = info.xsize, .height = info.ysize, .is_animated = info.have_animation,
                .is_premultiplied = info.alpha_bits > 0 && info.alpha_premultiplied,
                .extra_channel_count = info.num_extra_channels,
                .has_alpha = info.alpha_bits > 0};
            result = CJxlShims_found;
        }
    }
    jxl.JxlDecoderDestroy(decoder);
    return result;
}
