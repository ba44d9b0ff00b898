// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CVipsShims.h"

#include <dlfcn.h>
#include <errno.h>
#include <gmodule.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vips/vector.h>

// The loaders that are built into every libvips. Those of plug-ins follow in CVipsShims_load_plugin.
static const char *const builtin_loaders[] = {
    "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadTiff",
    "VipsForeignLoadNsgif", "VipsForeignLoadJp2k",
    "VipsForeignLoadSvg"};

// Set by whichever thread decodes.
static gint has_seen_damage;

// The words of libjpeg, in a library that decodes JPEG data within another format and goes on; and those of libtiff where
// it leaves out data that other readers show.
static int tells_of_damage(const char *text) {
    return strstr(text, "Corrupt JPEG data") != NULL || strstr(text, "to avoid buffer overrun") != NULL;
}

// The words of libvips about an embedded profile for which it takes another one, and goes on.
static gint has_refused_profile;

static int tells_of_refused_profile(const char *text) {
    return strstr(text, "corrupt profile") || strstr(text, "corrupt embedded profile") ||
           strstr(text, "incompatible with image") || strstr(text, "profile does not support");
}

// Warnings about media are nobody's to read, and GLib's own writer would ask the system about the stream first.
static GLogWriterOutput listen(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
    (void)level, (void)data;
    for (gsize index = 0; index < count; index++)
        if (strcmp(fields[index].key, "MESSAGE") == 0 && fields[index].length < 0) {
            if (tells_of_damage(fields[index].value)) g_atomic_int_set(&has_seen_damage, 1);
            if (tells_of_refused_profile(fields[index].value)) g_atomic_int_set(&has_refused_profile, 1);
        }
    return G_LOG_WRITER_HANDLED;
}

int CVipsShims_take_damage(void) {
    if (tells_of_damage(vips_error_buffer())) g_atomic_int_set(&has_seen_damage, 1);
    return g_atomic_int_and((guint *)&has_seen_damage, 0) != 0;
}

int CVipsShims_start(const char *program) {
    g_log_set_writer_func(listen, NULL, NULL);
    // libvips looks for plug-ins below this folder: a folder that does not exist has none.
    setenv("VIPSHOME", "/nonexistent", 1);
    // A closed process has no folder for files, into which libvips would put pictures of more than 100 MB.
    setenv("VIPS_DISC_THRESHOLD", "1000g", 1);
    if (VIPS_INIT(program)) return -1;
    // Not only to leave the other cores to other decoders: with several workers, libvips 8.14 sometimes takes a truncated
    // JPEG or TIFF for a whole one (1 to 5 in 100 loads of cut files; none of 9,600 with one worker).
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    // Where libvips has Orc, it makes machine code while it resizes, which the sandbox forbids.
    vips_vector_set_enabled(FALSE);
    vips_block_untrusted_set(TRUE);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    for (size_t index = 0; index < G_N_ELEMENTS(builtin_loaders); index++)
        vips_operation_block_set(builtin_loaders[index], FALSE);
    return 0;
}

int CVipsShims_start_encoder(const char *program) {
    if (CVipsShims_start(program)) return -1;
    vips_operation_block_set("VipsForeignLoad", TRUE);
    return 0;
}

// Tables that fit a picture need all of its coefficients in memory, six bytes a pixel.
static const int64_t most_optimized_pixels = 32 << 20;

int CVipsShims_encode(
    const void *pixels, size_t size, int width, int height, int bands, CVipsShims_Encoding encoding, void **file,
    size_t *file_size
) {
    VipsImage *memory = vips_image_new_from_memory(pixels, size, width, height, bands, VIPS_FORMAT_UCHAR), *image, *flat;
    if (!memory) return -1;
    int result = vips_copy(
        memory, &image, "interpretation", VIPS_INTERPRETATION_sRGB, "xres", 72 / 25.4, "yres", 72 / 25.4, NULL);
    g_object_unref(memory);
    if (result) return -1;
    if (encoding.is_jpeg && bands == 4) {
        VipsArrayDouble *background = vips_array_double_new(encoding.background, 3);
        result = vips_flatten(image, &flat, "background", background, NULL);
        vips_area_unref(VIPS_AREA(background));
        g_object_unref(image);
        if (result) return -1;
        image = flat;
    }
    if (encoding.is_jpeg)
        result = vips_jpegsave_buffer(
            image, file, file_size, "Q", encoding.quality, "optimize_coding",
            (int64_t)width * height <= most_optimized_pixels, "strip", TRUE, NULL);
    else
        result = vips_pngsave_buffer(image, file, file_size, "strip", TRUE, NULL);
    g_object_unref(image);
    return result;
}

int CVipsShims_load_plugin(const char *name, const char *loader_class) {
    if (!vips_class_find("VipsObject", loader_class)) {
        // Plug-ins lie beside the libvips that is loaded, in a folder named for its version.
        Dl_info library;
        if (!dladdr((void *)vips_error_buffer, &library) || !library.dli_fname) {
            vips_error("plug-in", "the folder of libvips is unknown");
            return -1;
        }
        char *folder = g_path_get_dirname(library.dli_fname);
        char *path = g_strdup_printf(
            "%s/vips-modules-%d.%d/vips-%s.so", folder, vips_version(0), vips_version(1), name);
        GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
        g_free(path);
        g_free(folder);
        if (!module) {
            vips_error("plug-in", "%s", g_module_error());
            return -1;
        }
        g_module_make_resident(module);
        // libheif loads decoders of its own when it is first used, which would be too late in a process that is closed.
        int (*start_heif)(const void *) = NULL;
        if (strcmp(name, "heif") == 0) start_heif = (int (*)(const void *))dlsym(RTLD_DEFAULT, "heif_init");
        if (start_heif) start_heif(NULL);
    }
    vips_operation_block_set(loader_class, FALSE);
    return 0;
}

// Truncated, and not "warning": ordinary camera files raise warnings.
#define LOADING "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_TRUNCATED

int CVipsShims_jpegload(VipsSource *source, VipsImage **out) {
    return vips_jpegload_source(source, out, LOADING, NULL);
}

int CVipsShims_blank_copy(VipsImage *header, VipsImage **out, int width, int height) {
    VipsImage *image = vips_image_new_memory();
    if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_ANY, header, NULL)) {
        g_object_unref(image);
        return -1;
    }
    image->Xsize = width;
    image->Ysize = height;
    // The copy's pixels can be read in any order, those of the file cannot.
    vips_image_remove(image, VIPS_META_SEQUENTIAL);
    if (vips_image_write_prepare(image)) {
        g_object_unref(image);
        return -1;
    }
    *out = image;
    return 0;
}

// A part of a file, in which some bytes read as others, and more bytes stand at one place.
struct window {
    int descriptor;
    gint64 start, size, position;
    uint8_t *inserted;
    gint64 inserted_at, inserted_count;
    CVipsShims_Patch *patches;
    int patch_count;
};

static void free_window(void *data) {
    struct window *window = data;
    g_free(window->patches);
    g_free(window->inserted);
    g_free(window);
}

static gint64 read_window(VipsSourceCustom *source, void *data, gint64 count, void *user) {
    (void)source;
    struct window *window = user;
    gint64 rest = window->size + window->inserted_count - window->position;
    if (count > rest) count = rest;
    if (count <= 0) return 0;
    gint64 behind = window->position - window->inserted_at;
    if (behind >= 0 && behind < window->inserted_count) {
        if (count > window->inserted_count - behind) count = window->inserted_count - behind;
        memcpy(data, window->inserted + behind, (size_t)count);
        window->position += count;
        return count;
    }
    if (behind < 0 && count > -behind) count = -behind;
    gint64 position = behind < 0 ? window->position : window->position - window->inserted_count;
    ssize_t got;
    do got = pread(window->descriptor, data, (size_t)count, window->start + position);
    while (got < 0 && errno == EINTR);
    if (got <= 0) return got;
    // Animations have thousands of patches, and are read in small pieces.
    int first = 0, end = window->patch_count;
    while (first < end) {
        int middle = first + (end - first) / 2;
        const CVipsShims_Patch *patch = &window->patches[middle];
        if (patch->position + patch->count <= position) first = middle + 1;
        else end = middle;
    }
    for (int index = first; index < window->patch_count; index++) {
        const CVipsShims_Patch *patch = &window->patches[index];
        if (patch->position >= position + got) break;
        for (int place = 0; place < patch->count; place++) {
            gint64 offset = patch->position + place - position;
            if (offset >= 0 && offset < got) ((uint8_t *)data)[offset] = patch->bytes[place];
        }
    }
    window->position += got;
    return got;
}

static gint64 seek_window(VipsSourceCustom *source, gint64 offset, int whence, void *user) {
    (void)source;
    struct window *window = user;
    gint64 base = window->size + window->inserted_count;
    if (whence == SEEK_SET) base = 0;
    if (whence == SEEK_CUR) base = window->position;
    gint64 position;
    if (__builtin_add_overflow(base, offset, &position) || position < 0) return -1;
    return window->position = position;
}

VipsSource *CVipsShims_window(
    int descriptor, int64_t start, int64_t size, const CVipsShims_Patch *patches, int patch_count,
    const uint8_t *inserted, int64_t inserted_at, int64_t inserted_count) {
    if (patch_count < 0 || start < 0 || size < 0) return NULL;
    if (inserted_at < 0 || inserted_at > size || inserted_count < 0) return NULL;
    struct window *window = g_new0(struct window, 1);
    *window = (struct window){
        .descriptor = descriptor, .start = start, .size = size, .patch_count = patch_count,
        .inserted_at = inserted_at, .inserted_count = inserted_count};
    window->inserted = g_memdup2(inserted, (gsize)inserted_count);
    window->patches = g_memdup2(patches, (gsize)patch_count * sizeof *patches);
    VipsSourceCustom *source = vips_source_custom_new();
    g_signal_connect(source, "read", G_CALLBACK(read_window), window);
    g_signal_connect(source, "seek", G_CALLBACK(seek_window), window);
    g_object_set_data_full(G_OBJECT(source), "window", window, free_window);
    return VIPS_SOURCE(source);
}

int CVipsShims_pngload(VipsSource *source, VipsImage **out) {
    return vips_pngload_source(source, out, LOADING, NULL);
}

int CVipsShims_pngload_cut(VipsSource *source, VipsImage **out) {
    return vips_pngload_source(source, out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_NONE, NULL);
}

int CVipsShims_webpload(VipsSource *source, VipsImage **out) {
    return vips_webpload_source(source, out, LOADING, NULL);
}

int CVipsShims_webpload_pages(VipsSource *source, VipsImage **out, int page, int count) {
    return vips_webpload_source(source, out, LOADING, "page", page, "n", count, NULL);
}

int CVipsShims_gifload_pages(VipsSource *source, VipsImage **out, int page, int count) {
    return vips_gifload_source(source, out, LOADING, "page", page, "n", count, NULL);
}

int CVipsShims_tiffload(VipsSource *source, VipsImage **out) {
    return vips_tiffload_source(source, out, LOADING, NULL);
}

int CVipsShims_heifload(VipsSource *source, VipsImage **out, int page) {
    // A page that is not named is the primary picture, which need not be the first.
    if (page < 0) return vips_heifload_source(source, out, LOADING, "thumbnail", FALSE, NULL);
    return vips_heifload_source(source, out, LOADING, "thumbnail", FALSE, "page", page, NULL);
}

int CVipsShims_jxlload(VipsSource *source, VipsImage **out) {
    return vips_jxlload_source(source, out, LOADING, NULL);
}

int CVipsShims_jp2kload(VipsSource *source, VipsImage **out) {
    return vips_jp2kload_source(source, out, LOADING, NULL);
}

int CVipsShims_svgload(VipsSource *source, VipsImage **out, double scale) {
    return vips_svgload_source(source, out, "scale", scale, "dpi", 96.0, NULL);
}

int CVipsShims_crop(VipsImage *in, VipsImage **out, int top, int height) {
    return vips_crop(in, out, 0, top, vips_image_get_width(in), height, NULL);
}

int CVipsShims_extract_bands(VipsImage *in, VipsImage **out, int first, int count) {
    return vips_extract_band(in, out, first, "n", count, NULL);
}

int CVipsShims_join_bands(VipsImage *left, VipsImage *right, VipsImage **out) {
    return vips_bandjoin2(left, right, out, NULL);
}

int CVipsShims_linear(VipsImage *in, VipsImage **out, double factor, double summand) {
    return vips_linear1(in, out, factor, summand, NULL);
}

int CVipsShims_cast(VipsImage *in, VipsImage **out, VipsBandFormat format) {
    return vips_cast(in, out, format, NULL);
}

int CVipsShims_copy_interpretation(VipsImage *in, VipsImage **out, VipsInterpretation interpretation) {
    return vips_copy(in, out, "interpretation", interpretation, NULL);
}

int CVipsShims_premultiply(VipsImage *in, VipsImage **out) { return vips_premultiply(in, out, NULL); }

int CVipsShims_unpremultiply(VipsImage *in, VipsImage **out) { return vips_unpremultiply(in, out, NULL); }

int CVipsShims_resize(VipsImage *in, VipsImage **out, double factor) { return vips_resize(in, out, factor, NULL); }

int CVipsShims_upright(VipsImage *in, VipsImage **out, int orientation) {
    VipsImage *marked;
    if (vips_copy(in, &marked, NULL)) return -1;
    vips_image_set_int(marked, VIPS_META_ORIENTATION, orientation);
    int result = vips_autorot(marked, out, NULL);
    g_object_unref(marked);
    return result;
}

int CVipsShims_icc_to_srgb(VipsImage *in, VipsImage **out, const char *fallback_profile, VipsIntent intent) {
    if (fallback_profile)
        return vips_icc_transform(
            in, out, "srgb", "embedded", TRUE, "input_profile", fallback_profile, "depth", 8, "intent", intent, NULL);
    g_atomic_int_set(&has_refused_profile, 0);
    if (vips_icc_transform(in, out, "srgb", "embedded", TRUE, "depth", 8, "intent", intent, NULL)) return -1;
    if (!g_atomic_int_get(&has_refused_profile)) return 0;
    g_object_unref(*out);
    *out = NULL;
    vips_error("profile", "libvips cannot use it");
    return -1;
}

int CVipsShims_with_profile(VipsImage *in, VipsImage **out, const void *profile, size_t size) {
    if (vips_copy(in, out, NULL)) return -1;
    vips_image_remove(*out, VIPS_META_ICC_NAME);
    if (profile) vips_image_set_blob_copy(*out, VIPS_META_ICC_NAME, profile, size);
    return 0;
}

int CVipsShims_multiply(VipsImage *left, VipsImage *right, VipsImage **out) {
    return vips_multiply(left, right, out, NULL);
}

int CVipsShims_each_row(VipsImage *image, CVipsShims_TakeRow take, void *context) {
    int tile_width, tile_height, line_count;
    vips_get_tile_size(image, &tile_width, &tile_height, &line_count);
    VipsRegion *region = vips_region_new(image);
    if (!region) return -1;
    const int width = vips_image_get_width(image), height = vips_image_get_height(image);
    int result = 0;
    // In steps of a tile: loaders keep so many lines that several parts of a pipeline can read the same ones.
    for (int top = 0; top < height && result == 0; top += tile_height) {
        VipsRect strip = {0, top, width, VIPS_MIN(tile_height, height - top)};
        result = vips_region_prepare(region, &strip);
        for (int y = top; result == 0 && y < top + strip.height; y++)
            take(context, (const uint8_t *)VIPS_REGION_ADDR(region, 0, y));
    }
    g_object_unref(region);
    return result;
}

int CVipsShims_colourspace(VipsImage *in, VipsImage **out, VipsInterpretation space) {
    return vips_colourspace(in, out, space, NULL);
}
