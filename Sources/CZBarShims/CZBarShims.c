// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CZBarShims.h"

#include <dlfcn.h>
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

int CZBarShims_find_qr_codes(
    const uint8_t *pixels, unsigned width, unsigned height,
    void (*found)(void *context, const char *text, size_t length), void *context) {
    Library zbar;
    if (load(&zbar)) return -1;
    // What ZBar calls 8-bit grey.
    const unsigned long grey = 'Y' | '8' << 8 | '0' << 16 | '0' << 24;
    int result = -1;
    zbar_image_scanner_t *scanner = zbar.zbar_image_scanner_create();
    zbar_image_t *image = zbar.zbar_image_create();
    if (scanner && image && zbar.zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0) == 0 &&
        zbar.zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1) == 0) {
        zbar.zbar_image_set_format(image, grey);
        zbar.zbar_image_set_size(image, width, height);
        zbar.zbar_image_set_data(image, pixels, (unsigned long)width * height, NULL);
        if (zbar.zbar_scan_image(scanner, image) >= 0) {
            result = 0;
            for (const zbar_symbol_t *symbol = zbar.zbar_image_first_symbol(image); symbol;
                 symbol = zbar.zbar_symbol_next(symbol)) {
                const char *text = zbar.zbar_symbol_get_data(symbol);
                if (text) found(context, text, zbar.zbar_symbol_get_data_length(symbol));
            }
        }
    }
    if (image) zbar.zbar_image_destroy(image);
    if (scanner) zbar.zbar_image_scanner_destroy(scanner);
    return result;
}
