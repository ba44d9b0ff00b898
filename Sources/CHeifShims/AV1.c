// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "Coded.h"

#include <errno.h>
#include <stdlib.h>

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

/// Enlarges every plane by repeating samples; the caller frees the rooms.
static bool enlarge(CodedPicture *picture, int width, int height, uint8_t *rooms[3]) {
    const size_t size = picture->depth > 8 ? 2 : 1;
    for (int plane = 0; plane < 3 && picture->samples[plane]; plane++) {
        const int columns = plane == 0 ? 1 : picture->columns, rows = plane == 0 ? 1 : picture->rows;
        const int own_width = (picture->width + columns - 1) / columns, own_height = (picture->height + rows - 1) / rows;
        const int new_width = (width + columns - 1) / columns, new_height = (height + rows - 1) / rows;
        rooms[plane] = calloc((size_t)new_width * (size_t)new_height, size);
        if (!rooms[plane]) return false;
        uint8_t *target = rooms[plane];
        for (int y = 0; y < new_height; y++) {
            const ptrdiff_t own_y = (int64_t)y * own_height / new_height;
            const uint8_t *row = picture->samples[plane] + picture->strides[plane] * own_y;
            for (int x = 0; x < new_width; x++, target += size)
                memcpy(target, row + (size_t)((int64_t)x * own_width / new_width) * size, size);
        }
        picture->samples[plane] = rooms[plane];
        picture->strides[plane] = (ptrdiff_t)((size_t)new_width * size);
    }
    picture->width = width;
    picture->height = height;
    return true;
}

/// Makes an image of a decoded picture. A layer gets the size of the whole picture.
static struct heif_error make_image(const Dav1dPicture *decoded, CHeifShims_Layer layer, struct heif_image **image) {
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
    int width = picture.width, height = picture.height;
    if (layer.number >= 0) {
        const bool is_turned = (width > height) != (layer.width > layer.height);
        width = is_turned ? layer.height : layer.width;
        height = is_turned ? layer.width : layer.height;
        // Programs make a layer smaller in different ways.
        if (picture.width > width || picture.height > height) return failure("a layer larger than its picture");
    }
    uint8_t *rooms[3] = {NULL};
    const bool has_room = (picture.width == width && picture.height == height) || enlarge(&picture, width, height, rooms);
    struct heif_error error = has_room ? CHeifShims_make_image(&picture, image) : shortage();
    for (int plane = 0; plane < 3; plane++) free(rooms[plane]);
    return error;
}

/// Takes the next picture. The decoder takes the data in parts, and may have a picture after each of them.
static int next_picture(Dav1dContext *context, Dav1dData *data, Dav1dPicture *picture) {
    for (;;) {
        const size_t rest = data->sz;
        if (rest > 0) {
            const int result = library.dav1d_send_data(context, data);
            if (result < 0 && result != DAV1D_ERR(EAGAIN)) return result;
        }
        const int result = library.dav1d_get_picture(context, picture);
        // Without further data the decoder gives what it has held back.
        if (result != DAV1D_ERR(EAGAIN) || rest == 0 || data->sz == rest) return result;
    }
}

static struct heif_error decode_data(Dav1dContext *context, const CodedData *coded, CHeifShims_Layer layer, struct heif_image **image) {
    Dav1dData data = {0};
    uint8_t *bytes = coded->count > 0 ? library.dav1d_data_create(&data, coded->count) : NULL;
    if (!bytes) return failure("no AV1 data");
    memcpy(bytes, coded->bytes, coded->count);
    Dav1dPicture chosen = {0}, decoded = {0};
    int count = 0, result;
    while ((result = next_picture(context, &data, &decoded)) == 0) {
        // Where a layer is missing, the last one before it counts.
        const bool is_chosen = count == 0 || count <= layer.number;
        if (is_chosen && count > 0) library.dav1d_picture_unref(&chosen);
        if (is_chosen) chosen = decoded; else library.dav1d_picture_unref(&decoded);
        memset(&decoded, 0, sizeof decoded);
        count++;
        if (layer.number < 0) break;
    }
    if (result != 0 && result != DAV1D_ERR(EAGAIN)) CHeifShims_note_damage();
    struct heif_error error =
        count == 0 ? failure("AV1 data without a picture") : make_image(&chosen, layer, image);
    if (count > 0) library.dav1d_picture_unref(&chosen);
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
    const CHeifShims_Layer layer = CHeifShims_chosen_layer();
    settings.all_layers = layer.number >= 0;
    settings.operating_point = layer.point;
    settings.n_threads = 1;
    settings.max_frame_delay = 1;
    // A closed process has nobody to read messages.
    settings.logger.callback = NULL;
    Dav1dContext *context = NULL;
    if (library.dav1d_open(&context, &settings)) return shortage();
    struct heif_error error = decode_data(context, data, layer, image);
    library.dav1d_close(&context);
    return error;
}

DEFINE_DECODER(CHeifShims_av1, "sca-av1")
