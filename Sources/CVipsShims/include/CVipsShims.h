// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// libvips operations take their options as variadic arguments, which Swift cannot call. Each function here fixes the
// arguments of one operation; it is provided for that reason alone unless it says otherwise. All return 0, or -1 with
// the text in vips_error_buffer(); `*out` is a new reference that the caller unreferences.

#ifndef SCA_CVIPSSHIMS_H
#define SCA_CVIPSSHIMS_H

#include <stdbool.h>
#include <stdint.h>
#include <vips/vips.h>

/// Starts libvips with one thread, no cache of results, no plug-ins and every loader blocked except those of
/// JPEG, PNG, WebP, TIFF and GIF. `program` is argv[0].
/// Provided because vips_init is a macro.
int CVipsShims_start(const char *program);

/// Starts libvips with one thread for a process that only encodes: no plug-ins, and no loader.
/// Provided because vips_init is a macro.
int CVipsShims_start_encoder(const char *program);

typedef struct {
    /// Whether the file is a JPEG; otherwise it is a PNG.
    bool is_jpeg;
    /// From 1 to 100, for JPEG.
    int quality;
    /// Red, green and blue from 0 to 255, over which transparent pixels are laid in JPEG.
    double background[3];
} CVipsShims_Encoding;

/// Encodes 8-bit pixels of three or four bands in rows without padding, without metadata, into memory for g_free.
int CVipsShims_encode(
    const void *pixels, size_t size, int width, int height, int bands, CVipsShims_Encoding encoding, void **file,
    size_t *file_size);

/// Loads the plug-in of libvips that reads a family of formats ("heif" or "jxl") and unblocks its loader.
/// Where libvips has the loader built in, it is only unblocked.
/// Provided because loading plug-ins at start, as libvips does by itself, maps ImageMagick and poppler as well.
int CVipsShims_load_plugin(const char *name, const char *loader_class);

/// Whether, since the last call, a library has told of damage in data that it has decoded all the same; 0 or 1.
/// Provided because such words come by a log with variadic functions, and libvips's buffer of errors.
int CVipsShims_take_damage(void);

/// Bytes that a file is read as having at a position.
typedef struct {
    int64_t position;
    uint8_t bytes[8];
    int count;
} CVipsShims_Patch;

/// A source that reads `size` bytes of a file from `start` on, with some bytes replaced and others inserted; the
/// descriptor must stay open. The patches are in the order of their positions. Positions are those before the insertion.
/// NULL where it cannot be made.
/// Provided because libvips asks custom sources for bytes by signals of GObject.
VipsSource *CVipsShims_window(
    int descriptor, int64_t start, int64_t size, const CVipsShims_Patch *patches, int patch_count,
    const uint8_t *inserted, int64_t inserted_at, int64_t inserted_count);

typedef void (*CVipsShims_TakeRow)(void *context, const uint8_t *row);

/// Computes the picture from its first to its last row, each once, and hands each row over.
/// Provided because the address of a row is a macro.
int CVipsShims_each_row(VipsImage *image, CVipsShims_TakeRow take, void *context);

int CVipsShims_jpegload(VipsSource *source, VipsImage **out);
int CVipsShims_pngload(VipsSource *source, VipsImage **out);
/// Opens a cut PNG picture; the rows that are missing are empty.
int CVipsShims_pngload_cut(VipsSource *source, VipsImage **out);
int CVipsShims_webpload(VipsSource *source, VipsImage **out);
/// `count` pictures of an animation from `page` on, one below the other.
int CVipsShims_webpload_pages(VipsSource *source, VipsImage **out, int page, int count);
int CVipsShims_gifload_pages(VipsSource *source, VipsImage **out, int page, int count);
int CVipsShims_tiffload(VipsSource *source, VipsImage **out);
/// Loads a picture by its number, or the primary one where `page` is negative; never the thumbnail.
int CVipsShims_heifload(VipsSource *source, VipsImage **out, int page);
int CVipsShims_jxlload(VipsSource *source, VipsImage **out);
/// Draws an SVG file; `scale` multiplies its size.
int CVipsShims_svgload(VipsSource *source, VipsImage **out, double scale);
int CVipsShims_jp2kload(VipsSource *source, VipsImage **out);

/// A picture in memory with another size, all else that `header` says of itself, and pixels that are still to be
/// written, to `(*out)->data`.
/// Provided because pixels that libvips has not decoded need the profile and the orientation that it has read.
int CVipsShims_blank_copy(VipsImage *header, VipsImage **out, int width, int height);

/// `height` rows from `top` on.
int CVipsShims_crop(VipsImage *in, VipsImage **out, int top, int height);
int CVipsShims_extract_bands(VipsImage *in, VipsImage **out, int first, int count);
int CVipsShims_join_bands(VipsImage *left, VipsImage *right, VipsImage **out);
int CVipsShims_linear(VipsImage *in, VipsImage **out, double factor, double summand);
int CVipsShims_cast(VipsImage *in, VipsImage **out, VipsBandFormat format);
int CVipsShims_copy_interpretation(VipsImage *in, VipsImage **out, VipsInterpretation interpretation);
/// Multiplies and divides colours by opacity, the last band; the result has numbers of floating point.
int CVipsShims_premultiply(VipsImage *in, VipsImage **out);
int CVipsShims_unpremultiply(VipsImage *in, VipsImage **out);
/// Resizes by a factor below 1.
int CVipsShims_resize(VipsImage *in, VipsImage **out, double factor);
/// Turns and mirrors the picture as an EXIF orientation from 1 to 8 says.
int CVipsShims_upright(VipsImage *in, VipsImage **out, int orientation);
/// Converts to 8-bit sRGB by the embedded profile, or by the named fallback where there is none.
int CVipsShims_icc_to_srgb(VipsImage *in, VipsImage **out, const char *fallback_profile, VipsIntent intent);
/// The picture with another embedded profile, or with none where `profile` is NULL.
int CVipsShims_with_profile(VipsImage *in, VipsImage **out, const void *profile, size_t size);
/// Multiplies pixels band by band; `right` may have one band.
int CVipsShims_multiply(VipsImage *left, VipsImage *right, VipsImage **out);
int CVipsShims_colourspace(VipsImage *in, VipsImage **out, VipsInterpretation space);

#endif
