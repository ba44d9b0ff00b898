// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "Coded.h"

#include <libde265/de265.h>

#define FUNCTIONS(FUNCTION)                              \
    FUNCTION(de265_new_decoder)                          \
    FUNCTION(de265_free_decoder)                         \
    FUNCTION(de265_push_NAL)                             \
    FUNCTION(de265_flush_data)                           \
    FUNCTION(de265_decode)                               \
    FUNCTION(de265_isOK)                                 \
    FUNCTION(de265_get_next_picture)                     \
    FUNCTION(de265_get_warning)                          \
    FUNCTION(de265_get_image_width)                      \
    FUNCTION(de265_get_image_height)                     \
    FUNCTION(de265_get_chroma_format)                    \
    FUNCTION(de265_get_bits_per_pixel)                   \
    FUNCTION(de265_get_image_plane)                      \
    FUNCTION(de265_get_image_full_range_flag)            \
    FUNCTION(de265_get_image_colour_primaries)           \
    FUNCTION(de265_get_image_transfer_characteristics)   \
    FUNCTION(de265_get_image_matrix_coefficients)

static struct {
    FUNCTIONS(MEMBER)
    bool is_missing;
} library;

void CHeifShims_start_hevc(void) {
    void *handle = dlopen("libde265.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        library.is_missing = true;
        return;
    }
    FUNCTIONS(FIND)
}

static const char *name(void) { return "sca-hevc"; }

static int support(enum heif_compression_format format) { return format == heif_compression_HEVC ? 1000 : 0; }

static struct heif_error make_image(const struct de265_image *decoded, struct heif_image **image) {
    const enum de265_chroma chroma = library.de265_get_chroma_format(decoded);
    CodedPicture picture = {
        .width = library.de265_get_image_width(decoded, 0), .height = library.de265_get_image_height(decoded, 0),
        .depth = library.de265_get_bits_per_pixel(decoded, 0),
        .columns = chroma == de265_chroma_mono ? 0 : chroma == de265_chroma_444 ? 1 : 2,
        .rows = chroma == de265_chroma_420 ? 2 : 1,
        .primaries = library.de265_get_image_colour_primaries(decoded),
        .transfer = library.de265_get_image_transfer_characteristics(decoded),
        .matrix = library.de265_get_image_matrix_coefficients(decoded),
        .is_full_range = library.de265_get_image_full_range_flag(decoded) != 0};
    for (int plane = 0; plane < (picture.columns == 0 ? 1 : 3); plane++) {
        const int columns = plane == 0 ? 1 : picture.columns, rows = plane == 0 ? 1 : picture.rows;
        const int width = (picture.width + columns - 1) / columns, height = (picture.height + rows - 1) / rows;
        int stride = 0;
        picture.samples[plane] = library.de265_get_image_plane(decoded, plane, &stride);
        picture.strides[plane] = stride;
        if (!picture.samples[plane] || library.de265_get_image_width(decoded, plane) < width ||
            library.de265_get_image_height(decoded, plane) < height)
            return failure("planes of unusual sizes");
        if (library.de265_get_bits_per_pixel(decoded, plane) != picture.depth)
            return missing_feature("Unsupported feature: samples of several sizes");
    }
    return CHeifShims_make_image(&picture, image);
}

/// Hands each unit over, which has its length before it.
static int push_units(de265_decoder_context *context, const CodedData *data) {
    size_t position = 0;
    while (position + 4 <= data->count) {
        const uint8_t *bytes = data->bytes + position;
        const size_t size = (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
        position += 4;
        if (size > data->count - position || size > INT32_MAX) return -1;
        if (!library.de265_isOK(library.de265_push_NAL(context, data->bytes + position, (int)size, 0, NULL))) return -1;
        position += size;
    }
    return library.de265_isOK(library.de265_flush_data(context)) ? 0 : -1;
}

/// Whether the library says that the picture may not be what was encoded.
static bool warns_of_damage(de265_decoder_context *context) {
    // It keeps a few of them.
    for (int count = 0; count < 100; count++) {
        switch (library.de265_get_warning(context)) {
            case DE265_OK: return false;
            case DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING:
            case DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM:
            case DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI: break;
            default: return true;
        }
    }
    return true;
}

static struct heif_error decode_units(de265_decoder_context *context, const CodedData *data, struct heif_image **image) {
    if (push_units(context, data)) return failure("HEVC data that end early");
    int more = 1;
    while (more && !*image) {
        more = 0;
        const de265_error error = library.de265_decode(context, &more);
        if (error != DE265_OK) more = 0;
        if (error != DE265_OK && error != DE265_ERROR_WAITING_FOR_INPUT_DATA) CHeifShims_note_damage();
        const struct de265_image *decoded = library.de265_get_next_picture(context);
        if (!decoded) continue;
        struct heif_error failed = make_image(decoded, image);
        if (failed.code != heif_error_Ok) return failed;
    }
    if (warns_of_damage(context)) CHeifShims_note_damage();
    return *image ? no_error : failure("HEVC data without a picture");
}

static struct heif_error decode_coded(void *data, struct heif_image **image) {
    *image = NULL;
    if (library.is_missing) return missing_feature("Unsupported codec: libde265.so.0 is missing");
    de265_decoder_context *context = library.de265_new_decoder();
    if (!context) return shortage();
    struct heif_error error = decode_units(context, data, image);
    library.de265_free_decoder(context);
    return error;
}

DEFINE_DECODER(CHeifShims_hevc, "sca-hevc")
