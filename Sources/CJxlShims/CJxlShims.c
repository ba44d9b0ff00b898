// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CJxlShims.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jxl/decode.h>
#include <jxl/version.h>

#define FUNCTIONS(FUNCTION)            \
    FUNCTION(JxlDecoderCreate)         \
    FUNCTION(JxlDecoderDestroy)        \
    FUNCTION(JxlDecoderSubscribeEvents) \
    FUNCTION(JxlDecoderSetInput)       \
    FUNCTION(JxlDecoderProcessInput)   \
    FUNCTION(JxlDecoderGetBasicInfo)      \
    FUNCTION(JxlDecoderSetJPEGBuffer)      \
    FUNCTION(JxlDecoderReleaseJPEGBuffer)  \
    FUNCTION(JxlDecoderCloseInput)         \
    FUNCTION(JxlDecoderReleaseInput)       \
    FUNCTION(JxlDecoderGetFrameHeader)     \
    FUNCTION(JxlDecoderImageOutBufferSize) \
    FUNCTION(JxlDecoderSetImageOutBuffer)  \
    FUNCTION(JxlDecoderGetICCProfileSize)  \
    FUNCTION(JxlDecoderGetColorAsICCProfile)

typedef struct {
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
} Library;

// Later versions of the library have no parameter for a format.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define NO_FORMAT NULL,
#else
#define NO_FORMAT
#endif

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

// The bytes of a file that are handed to the decoder at once.
enum { input_size = 256 << 10 };

struct CJxlShims_Animation {
    Library jxl;
    JxlDecoder *decoder;
    int decodes_pixels;
    int file;
    // The part of the file that was not read yet.
    int64_t position, end;
    // A buffer, and the number of its bytes that the decoder has.
    uint8_t *input;
    size_t filled;
    JxlBasicInfo info;
    JxlFrameHeader frame;
    uint8_t *pixels;
    uint8_t *profile;
    size_t profile_size;
};

void CJxlShims_close_animation(CJxlShims_Animation *animation) {
    if (!animation) return;
    if (animation->decoder) animation->jxl.JxlDecoderDestroy(animation->decoder);
    free(animation->input);
    free(animation->pixels);
    free(animation->profile);
    free(animation);
}

CJxlShims_Animation *CJxlShims_open_animation(int file, int64_t start, int64_t count, int decodes_pixels) {
    CJxlShims_Animation *animation = calloc(1, sizeof *animation);
    if (!animation) return NULL;
    animation->decodes_pixels = decodes_pixels;
    animation->file = file;
    animation->position = start;
    animation->end = start + count;
    animation->input = malloc(input_size);
    int events = JXL_DEC_BASIC_INFO | JXL_DEC_FRAME;
    if (decodes_pixels) events |= JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE;
    if (animation->input && !find(&animation->jxl)) animation->decoder = animation->jxl.JxlDecoderCreate(NULL);
    if (!animation->decoder ||
        animation->jxl.JxlDecoderSubscribeEvents(animation->decoder, events) != JXL_DEC_SUCCESS) {
        CJxlShims_close_animation(animation);
        return NULL;
    }
    return animation;
}

// Hands the next bytes of the file to the decoder, behind those that it did not use.
static int feed(CJxlShims_Animation *animation) {
    size_t left = animation->jxl.JxlDecoderReleaseInput(animation->decoder);
    int64_t rest = animation->end - animation->position;
    if (left >= input_size || rest <= 0) return CJxlShims_more;
    // The bytes that are left are the last of the buffer's content, which always begins at its start.
    memmove(animation->input, animation->input + animation->filled - left, left);
    size_t room = input_size - left;
    ssize_t count = pread(animation->file, animation->input + left, rest < (int64_t)room ? (size_t)rest : room,
                          animation->position);
    if (count <= 0) return CJxlShims_failed;
    animation->position += count;
    animation->filled = left + (size_t)count;
    JxlDecoderStatus status =
        animation->jxl.JxlDecoderSetInput(animation->decoder, animation->input, animation->filled);
    if (status != JXL_DEC_SUCCESS) return CJxlShims_failed;
    if (animation->position == animation->end) animation->jxl.JxlDecoderCloseInput(animation->decoder);
    return CJxlShims_found;
}

static JxlPixelFormat format_of(const CJxlShims_Animation *animation) {
    return (JxlPixelFormat){.num_channels = animation->info.alpha_bits > 0 ? 4 : 3, .data_type = JXL_TYPE_UINT8};
}

// Takes the profile of the decoded colours, if the library can give one.
static int take_profile(CJxlShims_Animation *animation) {
    const Library *jxl = &animation->jxl;
    size_t size = 0;
    const JxlColorProfileTarget target = JXL_COLOR_PROFILE_TARGET_DATA;
    JxlDecoderStatus status = jxl->JxlDecoderGetICCProfileSize(animation->decoder, NO_FORMAT target, &size);
    if (status != JXL_DEC_SUCCESS || size == 0) return CJxlShims_found;
    animation->profile = malloc(size);
    if (!animation->profile) return CJxlShims_failed;
    animation->profile_size = size;
    status = jxl->JxlDecoderGetColorAsICCProfile(animation->decoder, NO_FORMAT target, animation->profile, size);
    return status == JXL_DEC_SUCCESS ? CJxlShims_found : CJxlShims_malformed;
}

static int give_room(CJxlShims_Animation *animation) {
    const Library *jxl = &animation->jxl;
    JxlPixelFormat format = format_of(animation);
    size_t size = 0;
    const size_t expected = (size_t)animation->info.xsize * animation->info.ysize * format.num_channels;
    if (jxl->JxlDecoderImageOutBufferSize(animation->decoder, &format, &size) != JXL_DEC_SUCCESS || size != expected)
        return CJxlShims_malformed;
    if (!animation->pixels) animation->pixels = malloc(size);
    if (!animation->pixels) return CJxlShims_failed;
    JxlDecoderStatus status =
        jxl->JxlDecoderSetImageOutBuffer(animation->decoder, &format, animation->pixels, size);
    return status == JXL_DEC_SUCCESS ? CJxlShims_found : CJxlShims_failed;
}

int CJxlShims_next_frame(CJxlShims_Animation *animation, int64_t maximum_pixels, CJxlShims_Frame *out) {
    const Library *jxl = &animation->jxl;
    for (;;) {
        int result = CJxlShims_found;
        switch (jxl->JxlDecoderProcessInput(animation->decoder)) {
            case JXL_DEC_NEED_MORE_INPUT: result = feed(animation); break;
            case JXL_DEC_BASIC_INFO:
                if (jxl->JxlDecoderGetBasicInfo(animation->decoder, &animation->info) != JXL_DEC_SUCCESS)
                    return CJxlShims_malformed;
                if ((int64_t)animation->info.xsize * animation->info.ysize > maximum_pixels) return CJxlShims_failed;
                break;
            case JXL_DEC_COLOR_ENCODING: result = take_profile(animation); break;
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER: result = give_room(animation); break;
            case JXL_DEC_FRAME:
                if (jxl->JxlDecoderGetFrameHeader(animation->decoder, &animation->frame) != JXL_DEC_SUCCESS)
                    return CJxlShims_malformed;
                if (animation->decodes_pixels) break;
                // Falls through.
            case JXL_DEC_FULL_IMAGE:
                *out = (CJxlShims_Frame){
                    .width = animation->info.xsize, .height = animation->info.ysize,
                    .channel_count = format_of(animation).num_channels,
                    .duration = animation->frame.duration,
                    .ticks = animation->info.animation.tps_numerator,
                    .seconds = animation->info.animation.tps_denominator,
                    .loop_count = animation->info.animation.num_loops,
                    .pixels = animation->pixels, .profile = animation->profile,
                    .profile_size = animation->profile_size};
                return CJxlShims_found;
            case JXL_DEC_SUCCESS: return CJxlShims_end;
            default: return CJxlShims_malformed;
        }
        if (result != CJxlShims_found) return result;
    }
}
