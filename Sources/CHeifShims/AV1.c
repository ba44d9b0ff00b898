// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "Coded.h"

#include <errno.h>

#include <dav1d/dav1d.h>

#define FUNCTIONS(FUNCTION)          \
    FUNCTION(dav1d_default_settings) \
    FUNCTION(dav1d_open)             \
    FUNCTION(dav1d_close)            \
    FUNCTION(dav1d_data_create)      \
    FUNCTION(dav1d_data_unref)       \
    FUNCTION(dav1d_send_data)        \
    FUNCTION(dav1d_get_picture)      \
    FUNCTION(dav1d_picture_unref)

static struct {
    FUNCTIONS(MEMBER)
    bool is_missing;
} library;

#define TEXT(number) #number
#define LIBRARY(version) "libdav1d.so." TEXT(version)

void CHeifShims_start_av1(void) {
    // Structures differ from one version to the next.
    void *handle = dlopen(LIBRARY(DAV1D_API_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        library.is_missing = true;
        return;
    }
    FUNCTIONS(FIND)
}

static const char *name(void) { return "sca-av1"; }

static int support(enum heif_compression_format format) { return format == heif_compression_AV1 ? 1000 : 0; }

static struct heif_error make_image(const Dav1dPicture *decoded, struct heif_image **image) {
    const enum Dav1dPixelLayout layout = decoded->p.layout;
    CodedPicture picture = {
        .width = decoded->p.w, .height = decoded->p.h, .depth = decoded->p.bpc,
        .columns = layout == DAV1D_PIXEL_LAYOUT_I400 ? 0 : layout == DAV1D_PIXEL_LAYOUT_I444 ? 1 : 2,
        .rows = layout == DAV1D_PIXEL_LAYOUT_I420 ? 2 : 1, .primaries = (int)decoded->seq_hdr->pri,
        .transfer = (int)decoded->seq_hdr->trc, .matrix = (int)decoded->seq_hdr->mtrx,
        .is_full_range = decoded->seq_hdr->color_range != 0};
    for (int plane = 0; plane < (picture.columns == 0 ? 1 : 3); plane++) {
        picture.samples[plane] = decoded->data[plane];
        picture.strides[plane] = decoded->stride[plane > 0];
        if (!picture.samples[plane]) return failure("a plane is missing");
    }
    return CHeifShims_make_image(&picture, image);
}

static struct heif_error decode_data(Dav1dContext *context, const CodedData *coded, struct heif_image **image) {
    Dav1dData data = {0};
    uint8_t *bytes = coded->count > 0 ? library.dav1d_data_create(&data, coded->count) : NULL;
    if (!bytes) return failure("no AV1 data");
    memcpy(bytes, coded->bytes, coded->count);
    Dav1dPicture decoded = {0};
    int result = DAV1D_ERR(EAGAIN);
    // The decoder takes the data in parts, and may have a picture after each of them.
    while (result == DAV1D_ERR(EAGAIN)) {
        const size_t rest = data.sz;
        if (rest > 0) {
            result = library.dav1d_send_data(context, &data);
            if (result < 0 && result != DAV1D_ERR(EAGAIN)) break;
        }
        result = library.dav1d_get_picture(context, &decoded);
        if (data.sz == 0 || data.sz == rest) break;
    }
    // Without further data the decoder gives what it has held back.
    if (result == DAV1D_ERR(EAGAIN)) result = library.dav1d_get_picture(context, &decoded);
    struct heif_error error = result < 0 ? failure("AV1 data without a picture") : make_image(&decoded, image);
    if (result >= 0) library.dav1d_picture_unref(&decoded);
    library.dav1d_data_unref(&data);
    return error;
}

static struct heif_error decode_coded(void *data, struct heif_image **image) {
    *image = NULL;
    if (library.is_missing)
        return missing_feature("Unsupported codec: " LIBRARY(DAV1D_API_VERSION_MAJOR) " is missing");
    Dav1dSettings settings;
    library.dav1d_default_settings(&settings);
    // The largest number of pixels that libheif takes.
    settings.frame_size_limit = 1u << 28;
    settings.all_layers = 0;
    settings.n_threads = 1;
    settings.max_frame_delay = 1;
    // A closed process has nobody to read messages.
    settings.logger.callback = NULL;
    Dav1dContext *context = NULL;
    if (library.dav1d_open(&context, &settings)) return shortage();
    struct heif_error error = decode_data(context, data, image);
    library.dav1d_close(&context);
    return error;
}

DEFINE_DECODER(CHeifShims_av1, "sca-av1")
