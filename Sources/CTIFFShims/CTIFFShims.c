// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CTIFFShims.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <tiffio.h>

/// A part of a file, and the place at which libtiff reads next.
typedef struct {
    int file;
    int64_t start, size, position;
} Part;

static tmsize_t read_part(thandle_t handle, void *bytes, tmsize_t count) {
    Part *part = handle;
    if (count < 0 || part->position >= part->size) return 0;
    if (count > part->size - part->position) count = (tmsize_t)(part->size - part->position);
    ssize_t read = pread(part->file, bytes, (size_t)count, part->start + part->position);
    if (read > 0) part->position += read;
    return read;
}

static tmsize_t write_nothing(thandle_t handle, void *bytes, tmsize_t count) {
    (void)handle, (void)bytes, (void)count;
    return -1;
}

static toff_t seek_part(thandle_t handle, toff_t offset, int origin) {
    Part *part = handle;
    const int64_t base = origin == SEEK_CUR ? part->position : origin == SEEK_END ? part->size : 0;
    int64_t position;
    if (__builtin_add_overflow(base, (int64_t)offset, &position) || position < 0) return (toff_t)-1;
    part->position = position;
    return (toff_t)position;
}

static int close_part(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t part_size(thandle_t handle) { return (toff_t)((Part *)handle)->size; }

/// Opens the picture of a directory.
static TIFF *open_picture(Part *part, int64_t directory) {
    // Without a map, every read is checked against the size of the part.
    TIFF *tiff = TIFFClientOpen(
        "picture", "rm", part, read_part, write_nothing, seek_part, close_part, part_size, NULL, NULL);
    if (tiff && !TIFFSetSubDirectory(tiff, (uint64_t)directory)) {
        TIFFClose(tiff);
        return NULL;
    }
    return tiff;
}

static bool begin(TIFF *tiff, TIFFRGBAImage *image) {
    char message[1024] = "";
    // libtiff takes signed levels for unsigned ones, and other programs do not.
    uint16_t format = SAMPLEFORMAT_UINT;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) return false;
    // Pixels that cannot be decoded end the conversion.
    return TIFFRGBAImageOK(tiff, message) && TIFFRGBAImageBegin(image, tiff, 1, message);
}

int CTIFFShims_read_header(int file, int64_t start, int64_t size, int64_t directory, CTIFFShims_Picture *picture) {
    Part part = {.file = file, .start = start, .size = size};
    TIFF *tiff = open_picture(&part, directory);
    if (!tiff) return CTIFFShims_malformed;
    TIFFRGBAImage image;
    int result = CTIFFShims_unsupported;
    if (begin(tiff, &image)) {
        if (!image.alpha && image.width > 0 && image.height > 0) {
            *picture = (CTIFFShims_Picture){image.width, image.height, image.orientation};
            result = CTIFFShims_done;
        }
        TIFFRGBAImageEnd(&image);
    }
    TIFFClose(tiff);
    return result;
}

int CTIFFShims_read_pixels(
    int file, int64_t start, int64_t size, int64_t directory, const CTIFFShims_Picture *picture, uint8_t *pixels
) {
    Part part = {.file = file, .start = start, .size = size};
    TIFF *tiff = open_picture(&part, directory);
    if (!tiff) return CTIFFShims_malformed;
    TIFFRGBAImage image;
    int result = CTIFFShims_malformed;
    if (begin(tiff, &image)) {
        if (image.width == picture->width && image.height == picture->height && !image.alpha) {
            // Rows stay as they are stored.
            image.req_orientation = image.orientation;
            // Each pixel is a number whose lowest byte is red.
            if (TIFFRGBAImageGet(&image, (uint32_t *)(void *)pixels, image.width, image.height))
                result = CTIFFShims_done;
        }
        TIFFRGBAImageEnd(&image);
    }
    TIFFClose(tiff);
    return result;
}
