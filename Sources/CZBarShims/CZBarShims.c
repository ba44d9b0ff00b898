// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CZBarShims.h"
#include "Grey.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <zbar.h>

#define FUNCTIONS(FUNCTION)                 \
    FUNCTION(zbar_image_scanner_create)     \
    FUNCTION(zbar_image_scanner_destroy)    \
    FUNCTION(zbar_image_scanner_set_config) \
    FUNCTION(zbar_image_create)             \
    FUNCTION(zbar_image_destroy)            \
    FUNCTION(zbar_image_set_format)         \
    FUNCTION(zbar_image_set_size)           \
    FUNCTION(zbar_image_set_data)           \
    FUNCTION(zbar_scan_image)               \
    FUNCTION(zbar_image_first_symbol)       \
    FUNCTION(zbar_symbol_next)              \
    FUNCTION(zbar_symbol_get_data)          \
    FUNCTION(zbar_symbol_get_data_length)

typedef struct {
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
} Library;

static int load(Library *library) {
    void *handle = dlopen("libzbar.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return -1;
#define FIND(name)                                    \
    {                                                 \
        void *found = dlsym(handle, #name);           \
        if (!found) return -1;                        \
        memcpy(&library->name, &found, sizeof found); \
    }
    FUNCTIONS(FIND)
    return 0;
}

void CZBarShims_load(void) {
    Library zbar;
    load(&zbar);
}

typedef struct {
    void (*report)(void *context, const char *text, size_t length);
    void *context;
} Finder;

/// The number of codes in one version of the picture, each of which is reported, or -1.
static int scan(const Library *zbar, zbar_image_scanner_t *scanner, const uint8_t *pixels, unsigned width,
                unsigned height, const Finder *finder) {
    zbar_image_t *image = zbar->zbar_image_create();
    if (!image) return -1;
    // ZBar's name for 8-bit grey.
    zbar->zbar_image_set_format(image, 'Y' | '8' << 8 | '0' << 16 | '0' << 24);
    zbar->zbar_image_set_size(image, width, height);
    zbar->zbar_image_set_data(image, pixels, (unsigned long)width * height, NULL);
    int count = -1;
    if (zbar->zbar_scan_image(scanner, image) >= 0) {
        count = 0;
        for (const zbar_symbol_t *symbol = zbar->zbar_image_first_symbol(image); symbol;
             symbol = zbar->zbar_symbol_next(symbol)) {
            const char *text = zbar->zbar_symbol_get_data(symbol);
            if (!text) continue;
            finder->report(finder->context, text, zbar->zbar_symbol_get_data_length(symbol));
            count++;
        }
    }
    zbar->zbar_image_destroy(image);
    return count;
}

void CZBarShims_make_grey(uint8_t *target, const uint8_t *source, size_t count) {
    for (const uint8_t *pixel = source; pixel < source + 3 * count; pixel += 3)
        *target++ = (uint8_t)((77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) >> 8);
}

/// The mean of each pixel and its eight neighbours, with weights 1, 2 and 4; the edges stay as they are.
static void smooth(uint8_t *target, const uint8_t *source, size_t width, size_t height) {
    memcpy(target, source, width * height);
    for (size_t y = 1; y + 1 < height; y++) {
        for (size_t x = 1; x + 1 < width; x++) {
            const uint8_t *middle = source + y * width + x;
            const uint8_t *above = middle - width, *below = middle + width;
            unsigned corners = above[-1] + above[1] + below[-1] + below[1];
            unsigned sides = above[0] + middle[-1] + middle[1] + below[0];
            target[y * width + x] = (uint8_t)((corners + 2 * sides + 4u * middle[0] + 8) / 16);
        }
    }
}

/// A quarter turn.
static void turn(uint8_t *target, const uint8_t *source, size_t width, size_t height) {
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) target[x * height + height - 1 - y] = source[y * width + x];
}

/// Black and white.
static void contrast(uint8_t *target, const uint8_t *source, size_t width, size_t height) {
    for (size_t index = 0; index < width * height; index++) target[index] = source[index] < 128 ? 0 : 255;
}

/// Four pixels for one, each three parts of its own pixel and one part of the neighbour, in both directions.
///
/// In a small picture a module of a code has few pixels, and its edges lie between them.
static void enlarge(uint8_t *target, const uint8_t *source, size_t width, size_t height) {
    for (size_t y = 0; y < 2 * height; y++) {
        size_t near = y / 2, far = y % 2 ? near + 1 : near - (near > 0);
        if (far >= height) far = height - 1;
        const uint8_t *row = source + near * width, *other = source + far * width;
        for (size_t x = 0; x < 2 * width; x++) {
            size_t at = x / 2, beside = x % 2 ? at + 1 : at - (at > 0);
            if (beside >= width) beside = width - 1;
            unsigned sum = 9u * row[at] + 3u * row[beside] + 3u * other[at] + other[beside];
            target[y * 2 * width + x] = (uint8_t)((sum + 8) / 16);
        }
    }
}

// Where damage has hit a code, reading it is a matter of a few pixels, and another program may read it still.
static const struct {
    void (*make)(uint8_t *target, const uint8_t *source, size_t width, size_t height);
    int turned, scale;
} versions[CZBARSHIMS_VERSIONS] = {{NULL, 0, 1}, {smooth, 0, 1}, {turn, 1, 1}, {contrast, 0, 1}, {enlarge, 0, 2}};

// Above, enlarging would take too much memory, and every code is large enough.
enum { MOST_PIXELS_TO_ENLARGE = 4 * 1024 * 1024 };

int CZBarShims_find_qr_codes(
    const uint8_t *pixels, unsigned width, unsigned height, int version,
    void (*found)(void *context, const char *text, size_t length), void *context) {
    Library zbar;
    if (version < 0 || version >= CZBARSHIMS_VERSIONS || load(&zbar)) return -1;
    const size_t size = (size_t)width * height;
    const unsigned scale = (unsigned)versions[version].scale;
    if (scale > 1 && size > MOST_PIXELS_TO_ENLARGE) return 0;
    const Finder finder = {.report = found, .context = context};
    zbar_image_scanner_t *scanner = zbar.zbar_image_scanner_create();
    uint8_t *plain = malloc(size);
    uint8_t *other = versions[version].make ? malloc(scale * scale * size) : NULL;
    int count = -1;
    if (scanner && plain && (other || !versions[version].make) &&
        zbar.zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0) == 0 &&
        zbar.zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1) == 0) {
        CZBarShims_make_grey(plain, pixels, size);
        if (other) versions[version].make(other, plain, width, height);
        const int turned = versions[version].turned;
        count = scan(&zbar, scanner, other ? other : plain, scale * (turned ? height : width),
                     scale * (turned ? width : height), &finder);
    }
    free(other);
    free(plain);
    if (scanner) zbar.zbar_image_scanner_destroy(scanner);
    return count < 0 ? -1 : 0;
}
