// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CJxlShims.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <jxl/decode.h>

#define FUNCTIONS(FUNCTION)            \
    FUNCTION(JxlDecoderCreate)         \
    FUNCTION(JxlDecoderDestroy)        \
    FUNCTION(JxlDecoderSubscribeEvents) \
    FUNCTION(JxlDecoderSetInput)       \
    FUNCTION(JxlDecoderProcessInput)   \
    FUNCTION(JxlDecoderGetBasicInfo)      \
    FUNCTION(JxlDecoderSetJPEGBuffer)      \
    FUNCTION(JxlDecoderReleaseJPEGBuffer)  \
    FUNCTION(JxlDecoderCloseInput)

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

// The first size of the buffer for a JPEG, which grows as needed.
enum { first_size = 1 << 20 };

int CJxlShims_restore_jpeg(
    const uint8_t *bytes, size_t count, size_t maximum, CJxlShims_TakeBytes take, void *context
) {
    Library jxl;
    if (find(&jxl)) return CJxlShims_failed;
    JxlDecoder *decoder = jxl.JxlDecoderCreate(NULL);
    uint8_t *buffer = malloc(first_size);
    size_t size = first_size, filled = 0;
    int result = CJxlShims_failed;
    if (!decoder || !buffer) goto end;
    if (jxl.JxlDecoderSubscribeEvents(decoder, JXL_DEC_JPEG_RECONSTRUCTION | JXL_DEC_FULL_IMAGE) != JXL_DEC_SUCCESS ||
        jxl.JxlDecoderSetInput(decoder, bytes, count) != JXL_DEC_SUCCESS)
        goto end;
    jxl.JxlDecoderCloseInput(decoder);
    int is_restored = 0;
    for (;;) {
        JxlDecoderStatus status = jxl.JxlDecoderProcessInput(decoder);
        if (status == JXL_DEC_JPEG_RECONSTRUCTION && !is_restored) {
            is_restored = 1;
            if (jxl.JxlDecoderSetJPEGBuffer(decoder, buffer, size) != JXL_DEC_SUCCESS) goto end;
        } else if (status == JXL_DEC_JPEG_NEED_MORE_OUTPUT && is_restored) {
            filled = size - jxl.JxlDecoderReleaseJPEGBuffer(decoder);
            result = CJxlShims_more;
            if (size > maximum / 2) goto end;
            result = CJxlShims_failed;
            uint8_t *larger = realloc(buffer, size * 2);
            if (!larger) goto end;
            buffer = larger;
            size *= 2;
            if (jxl.JxlDecoderSetJPEGBuffer(decoder, buffer + filled, size - filled) != JXL_DEC_SUCCESS) goto end;
        } else if (status == JXL_DEC_FULL_IMAGE && is_restored) {
            filled = size - jxl.JxlDecoderReleaseJPEGBuffer(decoder);
            take(context, buffer, filled);
            result = CJxlShims_found;
            goto end;
        } else {
            // Anything else means that the data do not fit the picture.
            result = CJxlShims_malformed;
            goto end;
        }
    }
end:
    free(buffer);
    if (decoder) jxl.JxlDecoderDestroy(decoder);
    return result;
}
