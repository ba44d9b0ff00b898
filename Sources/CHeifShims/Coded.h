// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#ifndef SCA_CHEIFSHIMS_CODED_H
#define SCA_CHEIFSHIMS_CODED_H

#include "CHeifShims.h"

#include <dlfcn.h>
#include <libheif/heif.h>
#include <libheif/heif_plugin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// The levels of a decoded picture: bytes, or numbers of 16 bits where `depth` is over 8.
typedef struct {
    int width, height, depth;
    /// How many pixels share a colour in each direction, 1 or 2; 0 where there are no colours.
    int columns, rows;
    const uint8_t *samples[3];
    /// The distances of rows, in bytes.
    ptrdiff_t strides[3];
    /// The numbers of ITU-T H.273.
    int primaries, transfer, matrix;
    bool is_full_range;
} CodedPicture;

/// Makes a picture of libheif in which each pixel has its own colour, as `CHeifShims_begin` has said.
struct heif_error CHeifShims_make_image(const CodedPicture *picture, struct heif_image **image);

/// Makes an image of coded data by a function of a library, or as `CHeifShims_begin` has said.
struct heif_error CHeifShims_decode(
    void *data, struct heif_image **image, struct heif_error (*decode_coded)(void *, struct heif_image **));

void CHeifShims_note_damage(void);

/// The layer that `CHeifShims_begin` has chosen.
CHeifShims_Layer CHeifShims_chosen_layer(void);

/// The data of a picture, before it is decoded.
typedef struct {
    uint8_t *bytes;
    size_t count;
} CodedData;

struct heif_error CHeifShims_new_data(void **data);
struct heif_error CHeifShims_push_data(void *data, const void *bytes, size_t count);
void CHeifShims_free_data(void *data);

// Since libheif says which version of this table it needs at least, the table has to have the functions of version 5:
// libheif then hands data over, says that they end, and asks for pictures until there is one.
#ifdef heif_decoder_plugin_minimum_version
struct heif_error CHeifShims_new_data_with_options(void **data, const struct heif_decoder_plugin_options *options);
struct heif_error CHeifShims_push_data_of_frame(void *data, const void *bytes, size_t count, uintptr_t frame);
struct heif_error CHeifShims_end_data(void *data);
#define TABLE_VERSION 5
#define FURTHER_FUNCTIONS                                                                                     \
    .does_support_format2 = support_description, .new_decoder2 = CHeifShims_new_data_with_options,            \
    .push_data2 = CHeifShims_push_data_of_frame, .flush_data = CHeifShims_end_data, .decode_next_image2 = decode_frame
#define DEFINE_FURTHER_FUNCTIONS                                                                              \
    static int support_description(const struct heif_decoder_plugin_compressed_format_description *description) { \
        return support(description->format);                                                                  \
    }                                                                                                         \
    static struct heif_error decode_frame(                                                                    \
        void *data, struct heif_image **image, uintptr_t *frame, const struct heif_security_limits *limits) { \
        (void)limits;                                                                                         \
        if (frame) *frame = 0;                                                                                \
        return decode(data, image);                                                                           \
    }
#else
#define TABLE_VERSION 3
#define FURTHER_FUNCTIONS
#define DEFINE_FURTHER_FUNCTIONS
#endif

/// Defines the table of a decoder by the functions `name`, `support` and `decode_coded` of its file.
#define DEFINE_DECODER(table, identifier)                                                                     \
    static struct heif_error decode(void *data, struct heif_image **image) {                                  \
        return CHeifShims_decode(data, image, decode_coded);                                                  \
    }                                                                                                         \
    DEFINE_FURTHER_FUNCTIONS                                                                                  \
    const struct heif_decoder_plugin table = {                                                                \
        .get_plugin_name = name, .does_support_format = support, .new_decoder = CHeifShims_new_data,          \
        .free_decoder = CHeifShims_free_data, .push_data = CHeifShims_push_data, .decode_image = decode,      \
        .set_strict_decoding = ignore_strictness, .plugin_api_version = TABLE_VERSION, .id_name = identifier, \
        FURTHER_FUNCTIONS};

/// The decoder of each format; both are usable without their library and then fail.
extern const struct heif_decoder_plugin CHeifShims_hevc, CHeifShims_av1;
void CHeifShims_start_hevc(void);
void CHeifShims_start_av1(void);

static const struct heif_error no_error = {heif_error_Ok, heif_suberror_Unspecified, "Success"};

static inline struct heif_error failure(const char *message) {
    return (struct heif_error){heif_error_Decoder_plugin_error, heif_suberror_Unspecified, message};
}

/// The same words as libheif's, by which the kind of a failure is told.
static inline struct heif_error missing_feature(const char *message) {
    return (struct heif_error){heif_error_Unsupported_feature, heif_suberror_Unsupported_codec, message};
}

static inline struct heif_error shortage(void) {
    return (struct heif_error){heif_error_Memory_allocation_error, heif_suberror_Unspecified, "out of memory"};
}

/// Damage is told of in any case, so libheif has nothing to choose.
static inline void ignore_strictness(void *decoder, int flag) { (void)decoder, (void)flag; }

// The functions of a library, each a member of a structure of the same name.
#define MEMBER(name) __typeof__(&name) name;
#define FIND(name)                                                                         \
    {                                                                                      \
        void *found = dlsym(handle, #name);                                                \
        if (found) memcpy(&library.name, &found, sizeof found); else library.is_missing = true; \
    }

#endif
