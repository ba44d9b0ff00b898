// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CHeifShims.h"

#include "Coded.h"

#include <CPixelLoops.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define FUNCTIONS(FUNCTION)                        \
    FUNCTION(heif_register_decoder_plugin)         \
    FUNCTION(heif_image_create)                    \
    FUNCTION(heif_image_add_plane)                 \
    FUNCTION(heif_image_get_plane)                 \
    FUNCTION(heif_image_release)                   \
    FUNCTION(heif_image_set_nclx_color_profile)    \
    FUNCTION(heif_nclx_color_profile_alloc)        \
    FUNCTION(heif_nclx_color_profile_free)

static struct {
    FUNCTIONS(MEMBER)
    bool is_missing;
} library;

// Set before libheif is called; its threads decode the tiles of a picture.
static CHeifShims_Mode mode;
static CHeifShims_Layer chosen_layer = {.number = -1};
/// The size of the parts in which colours are compared.
static int part_columns, part_rows;
static atomic_size_t rough_area;
static atomic_bool has_seen_damage;
static atomic_size_t picture_count;
/// The smallest and the largest width and height of coded pictures, in pixels.
static atomic_int smallest_width, smallest_height, largest_width, largest_height;

int CHeifShims_start(void) {
    void *handle = RTLD_DEFAULT;
    FUNCTIONS(FIND)
    if (library.is_missing) return -1;
    CHeifShims_start_hevc();
    CHeifShims_start_av1();
    const struct heif_decoder_plugin *decoders[] = {&CHeifShims_hevc, &CHeifShims_av1};
    for (size_t index = 0; index < sizeof decoders / sizeof *decoders; index++)
        if (library.heif_register_decoder_plugin(decoders[index]).code != heif_error_Ok) return -1;
    return 0;
}

// MARK: Coded pictures that were decoded

/// Coded data and the shape of their picture, which has no levels here.
typedef struct {
    uint8_t *bytes;
    size_t count;
    CodedPicture picture;
} Decoded;

// Beyond these bounds, pictures are decoded again.
enum { MOST_DECODED = 4096, MOST_DECODED_BYTES = 64 << 20 };
static Decoded decoded[MOST_DECODED];
static size_t decoded_count, decoded_byte_count;
static pthread_mutex_t decoded_lock = PTHREAD_MUTEX_INITIALIZER;
/// The picture that this thread has made last.
static _Thread_local CodedPicture last_picture;

static void forget_decoded(void) {
    for (size_t index = 0; index < decoded_count; index++) free(decoded[index].bytes);
    decoded_count = decoded_byte_count = 0;
}

static void remember_decoded(const CodedData *data) {
    pthread_mutex_lock(&decoded_lock);
    if (decoded_count < MOST_DECODED && data->count <= MOST_DECODED_BYTES - decoded_byte_count) {
        uint8_t *bytes = malloc(data->count);
        if (bytes) {
            memcpy(bytes, data->bytes, data->count);
            decoded[decoded_count++] = (Decoded){bytes, data->count, last_picture};
            decoded_byte_count += data->count;
        }
    }
    pthread_mutex_unlock(&decoded_lock);
}

static bool find_decoded(const CodedData *data, CodedPicture *picture) {
    bool is_found = false;
    pthread_mutex_lock(&decoded_lock);
    for (size_t index = 0; index < decoded_count && !is_found; index++) {
        const Decoded *entry = &decoded[index];
        if (entry->count != data->count || memcmp(entry->bytes, data->bytes, data->count)) continue;
        *picture = entry->picture;
        is_found = true;
    }
    pthread_mutex_unlock(&decoded_lock);
    return is_found;
}

struct heif_error CHeifShims_decode(
    void *data, struct heif_image **image, struct heif_error (*decode_coded)(void *, struct heif_image **)
) {
    *image = NULL;
    CodedPicture picture;
    if (mode == CHeifShims_marked && find_decoded(data, &picture)) return CHeifShims_make_image(&picture, image);
    struct heif_error error = decode_coded(data, image);
    // Newer versions of libheif leave a tile blank that cannot be decoded, and do not say so to libvips.
    if (error.code != heif_error_Ok) CHeifShims_note_damage();
    else if (mode == CHeifShims_smooth) remember_decoded(data);
    return error;
}

/// Whether colours are interpolated.
static bool is_smooth(void) { return mode == CHeifShims_smooth; }

static int at_least_one(int number) { return number > 1 ? number : 1; }

void CHeifShims_begin(CHeifShims_Mode next, int width, int height, CHeifShims_Layer layer) {
    mode = next;
    chosen_layer = layer;
    if (next != CHeifShims_marked) forget_decoded();
    part_columns = at_least_one(width / 2 / CPIXELLOOPS_ROUGH_PARTS);
    part_rows = at_least_one(height / 2 / CPIXELLOOPS_ROUGH_PARTS);
    atomic_store(&rough_area, 0);
    atomic_store(&has_seen_damage, false);
    atomic_store(&picture_count, 0);
    atomic_store(&smallest_width, INT_MAX);
    atomic_store(&smallest_height, INT_MAX);
    atomic_store(&largest_width, 0);
    atomic_store(&largest_height, 0);
}

bool CHeifShims_is_rough(void) {
    // The tiles of a picture need not end where its parts do, so their area counts.
    return atomic_load(&rough_area) >= (size_t)CPIXELLOOPS_LEAST_ROUGH_PARTS * (size_t)part_columns * (size_t)part_rows;
}

CHeifShims_Layer CHeifShims_chosen_layer(void) { return chosen_layer; }

bool CHeifShims_is_damaged(void) { return atomic_load(&has_seen_damage); }

size_t CHeifShims_picture_count(void) { return atomic_load(&picture_count); }

CHeifShims_Sizes CHeifShims_sizes(void) {
    return (CHeifShims_Sizes){
        atomic_load(&smallest_width), atomic_load(&smallest_height), atomic_load(&largest_width),
        atomic_load(&largest_height)};
}

void CHeifShims_note_damage(void) { atomic_store(&has_seen_damage, true); }

struct heif_error CHeifShims_new_data(void **data) {
    *data = calloc(1, sizeof(CodedData));
    return *data ? no_error : shortage();
}

struct heif_error CHeifShims_push_data(void *target, const void *bytes, size_t count) {
    CodedData *data = target;
    if (count > SIZE_MAX - data->count) return shortage();
    uint8_t *grown = realloc(data->bytes, data->count + count);
    if (!grown && count > 0) return shortage();
    if (count > 0) memcpy(grown + data->count, bytes, count);
    data->bytes = grown;
    data->count += count;
    return no_error;
}

void CHeifShims_free_data(void *target) {
    CodedData *data = target;
    if (data) free(data->bytes);
    free(data);
}

#ifdef heif_decoder_plugin_minimum_version
struct heif_error CHeifShims_new_data_with_options(void **data, const struct heif_decoder_plugin_options *options) {
    // Damage is told of in any case, and a tile is decoded by one thread.
    (void)options;
    return CHeifShims_new_data(data);
}

struct heif_error CHeifShims_push_data_of_frame(void *data, const void *bytes, size_t count, uintptr_t frame) {
    (void)frame;
    return CHeifShims_push_data(data, bytes, count);
}

struct heif_error CHeifShims_end_data(void *data) {
    (void)data;
    return no_error;
}
#endif

// MARK: Colours

static void load(const CodedPicture *picture, int plane, int y, size_t count, uint16_t *row) {
    const uint8_t *bytes = picture->samples[plane] + picture->strides[plane] * y;
    if (picture->depth > 8)
        memcpy(row, bytes, count * sizeof *row);
    else
        for (size_t x = 0; x < count; x++) row[x] = bytes[x];
}

static void store(const uint16_t *row, size_t count, int depth, uint8_t *target) {
    if (depth > 8)
        memcpy(target, row, count * sizeof *row);
    else
        for (size_t x = 0; x < count; x++) target[x] = (uint8_t)row[x];
}

/// Writes the colours of a row of pixels: three parts of the nearer neighbour and one of the farther, in both directions.
static void widen(
    const uint16_t *near, const uint16_t *far, size_t count, size_t width, int columns, uint32_t *room, uint16_t *target
) {
    const uint16_t *other = is_smooth() ? far : near;
    for (size_t x = 0; x < count; x++) room[x] = 3u * near[x] + other[x];
    for (size_t x = 0; x < width; x++) {
        size_t own = columns == 2 ? x / 2 : x;
        size_t next = columns == 1 || !is_smooth() ? own : x % 2 == 0 ? own - (own > 0) : own + (own + 1 < count);
        target[x] = (uint16_t)((3u * room[own] + room[next] + 8) / 16);
    }
}

typedef struct {
    size_t count;
    int rows;
    uint32_t *sums[2];
} Steps;

static void end_parts(Steps *steps) {
    size_t area = 0;
    for (size_t start = 0; start < steps->count; start += (size_t)part_columns) {
        size_t end = start + (size_t)part_columns < steps->count ? start + (size_t)part_columns : steps->count;
        uint64_t sums[2] = {0, 0};
        for (int color = 0; color < 2; color++)
            for (size_t x = start; x < end; x++) sums[color] += steps->sums[color][x];
        const size_t part = (end - start) * (size_t)steps->rows;
        if (CPixelLoops_is_rough((float)sums[0] / (float)part, (float)sums[1] / (float)part)) area += part;
    }
    atomic_fetch_add(&rough_area, area);
    for (int color = 0; color < 2; color++) memset(steps->sums[color], 0, steps->count * sizeof(uint32_t));
    steps->rows = 0;
}

static void add_steps(const uint16_t *row, const uint16_t *below, size_t count, int depth, uint32_t *sums) {
    for (size_t x = 0; x + 1 < count; x++) {
        int across = row[x + 1] - row[x], down = below[x] - row[x];
        sums[x] += (uint32_t)((across < 0 ? -across : across) + (down < 0 ? -down : down)) >> (depth - 8);
    }
}

/// Where the rows of a plane are, of which rows outside do not exist.
static int inside(int y, int height) { return y < 0 ? 0 : y >= height ? height - 1 : y; }

static int write_colors(const CodedPicture *picture, uint8_t *planes[3], const int strides[3]) {
    const size_t width = (size_t)picture->width;
    const size_t count = (width + (size_t)picture->columns - 1) / (size_t)picture->columns;
    const int height = (picture->height + picture->rows - 1) / picture->rows;
    uint32_t *room = calloc(3 * count, sizeof *room);
    uint16_t *near = calloc(2 * count + width, sizeof *near), *far = near + count, *target = far + count;
    if (!room || !near) {
        free(room);
        free(near);
        return -1;
    }
    Steps steps = {count, 0, {room + count, room + 2 * count}};
    // A picture is decoded in the other way only after its colours were compared.
    const bool is_compared = is_smooth() && picture->columns * picture->rows > 1;
    for (int y = 0; is_compared && y < height; y++) {
        for (int color = 0; color < 2; color++) {
            load(picture, color + 1, y, count, near);
            load(picture, color + 1, inside(y + 1, height), count, far);
            add_steps(near, far, count, picture->depth, steps.sums[color]);
        }
        if (++steps.rows == part_rows) end_parts(&steps);
    }
    if (steps.rows > 0) end_parts(&steps);
    for (int y = 0; y < picture->height; y++) {
        const int own = y / picture->rows;
        const int next = picture->rows == 1 ? own : inside(y % 2 == 0 ? own - 1 : own + 1, height);
        for (int plane = 1; plane < 3; plane++) {
            load(picture, plane, own, count, near);
            load(picture, plane, next, count, far);
            widen(near, far, count, width, picture->columns, room, target);
            store(target, width, picture->depth, planes[plane] + (ptrdiff_t)strides[plane] * y);
        }
    }
    free(room);
    free(near);
    return 0;
}

// MARK: Pictures of libheif

static struct heif_error name_colors(const CodedPicture *picture, struct heif_image *image) {
    struct heif_color_profile_nclx *colors = library.heif_nclx_color_profile_alloc();
    if (!colors) return shortage();
    colors->color_primaries = (enum heif_color_primaries)picture->primaries;
    colors->transfer_characteristics = (enum heif_transfer_characteristics)picture->transfer;
    colors->matrix_coefficients = (enum heif_matrix_coefficients)picture->matrix;
    colors->full_range_flag = picture->is_full_range;
    struct heif_error error = library.heif_image_set_nclx_color_profile(image, colors);
    library.heif_nclx_color_profile_free(colors);
    return error;
}

/// Writes the highest level of a plane, or for colours the middle one. The matrix 0 means red, green and blue.
static void mark(const CodedPicture *picture, int plane, uint8_t *target, int stride) {
    const bool is_highest = plane == 0 || picture->matrix == 0;
    const uint16_t level = (uint16_t)(is_highest ? (1u << picture->depth) - 1 : 1u << (picture->depth - 1));
    for (int y = 0; y < picture->height; y++) {
        uint8_t *row = target + (ptrdiff_t)stride * y;
        if (picture->depth == 8) memset(row, level, (size_t)picture->width);
        else for (int x = 0; x < picture->width; x++) memcpy(row + 2 * x, &level, sizeof level);
    }
}

static struct heif_error fill(const CodedPicture *picture, struct heif_image *image) {
    static const enum heif_channel channels[3] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    const size_t row_size = (size_t)picture->width * (picture->depth > 8 ? 2 : 1);
    uint8_t *planes[3] = {NULL};
    int strides[3] = {0};
    for (int plane = 0; plane < (picture->columns == 0 ? 1 : 3); plane++) {
        struct heif_error error = library.heif_image_add_plane(
            image, channels[plane], picture->width, picture->height, picture->depth);
        if (error.code != heif_error_Ok) return error;
        planes[plane] = library.heif_image_get_plane(image, channels[plane], &strides[plane]);
        if (!planes[plane] || strides[plane] < 0 || (size_t)strides[plane] < row_size) return shortage();
    }
    if (mode == CHeifShims_marked) {
        for (int plane = 0; plane < (picture->columns == 0 ? 1 : 3); plane++)
            mark(picture, plane, planes[plane], strides[plane]);
        return name_colors(picture, image);
    }
    for (int y = 0; y < picture->height; y++)
        memcpy(planes[0] + (ptrdiff_t)strides[0] * y, picture->samples[0] + picture->strides[0] * y, row_size);
    if (picture->columns > 0 && write_colors(picture, planes, strides)) return shortage();
    return name_colors(picture, image);
}

static void note_lowest(atomic_int *bound, int value) {
    int known = atomic_load(bound);
    while (value < known && !atomic_compare_exchange_weak(bound, &known, value)) {}
}

static void note_highest(atomic_int *bound, int value) {
    int known = atomic_load(bound);
    while (value > known && !atomic_compare_exchange_weak(bound, &known, value)) {}
}

struct heif_error CHeifShims_make_image(const CodedPicture *picture, struct heif_image **image) {
    // The largest side that libheif takes.
    enum { LARGEST = 32768 };
    if (picture->width < 1 || picture->height < 1 || picture->width > LARGEST || picture->height > LARGEST)
        return failure("a decoded picture of an unusual size");
    if (picture->depth < 8 || picture->depth > 16) return missing_feature("Unsupported feature: bits of a sample");
    struct heif_error error = library.heif_image_create(
        picture->width, picture->height, picture->columns == 0 ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
        picture->columns == 0 ? heif_chroma_monochrome : heif_chroma_444, image);
    if (error.code != heif_error_Ok) return error;
    error = fill(picture, *image);
    if (error.code == heif_error_Ok) {
        atomic_fetch_add(&picture_count, 1);
        note_lowest(&smallest_width, picture->width);
        note_lowest(&smallest_height, picture->height);
        note_highest(&largest_width, picture->width);
        note_highest(&largest_height, picture->height);
        last_picture = *picture;
        return error;
    }
    library.heif_image_release(*image);
    *image = NULL;
    return error;
}
