// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Loops over pixels. They are C because Swift's are many times slower in a debug build, in which every operation on a
// vector is a call. The caller has checked every length.

#ifndef SCA_CPIXELLOOPS_H
#define SCA_CPIXELLOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Adds a row of `count` bytes to sums of 16 bits, into which 257 rows fit; where `is_first`, it replaces them.
void CPixelLoops_add_row(const uint8_t *row, bool is_first, size_t count, uint16_t *sums);

/// Adds `count` sums to totals of 32 bits.
void CPixelLoops_collect(const uint16_t *sums, size_t count, uint32_t *totals);

/// Averages sums that were not collected over each `horizontal` pixels of three bytes, as the next function does totals.
/// The product of `horizontal` and `rows` must be at most 65,536.
void CPixelLoops_average_sums(const uint16_t *sums, size_t width, size_t horizontal, size_t rows, uint8_t *target);

/// Averages the totals of `rows` rows over each `horizontal` pixels of `bands` bytes; the last pixels of a row are
/// averaged over as many as there are.
void CPixelLoops_average(const uint32_t *totals, size_t width, size_t bands, size_t horizontal, size_t rows,
                         uint8_t *target);

/// The factors by which levels of luma and of two colours become red, green and blue, in 1/8192; `offset` is the luma of black.
typedef struct {
    int16_t offset, luma, red, green_blue, green_red, blue;
} CPixelLoops_Weights;

/// A row of a picture in which each colour is for one or two columns and rows: the row of each colour that is its own, and
/// the nearer one of those above and below it. Where rows share no colours, both are the same.
///
/// The row of luma has whole groups of `CPIXELLOOPS_GROUP` samples.
typedef struct {
    /// The number of columns and rows that share a colour.
    uint8_t columns, rows;
    const uint8_t *luma, *blue[2], *red[2];
} CPixelLoops_SharedRow;

/// The number of samples that are processed at once.
enum { CPIXELLOOPS_GROUP = 16 };

/// Adds the colours of a row to rows of sums for red, green and blue, `step` apart, whose length is a multiple of
/// `CPIXELLOOPS_GROUP`.
///
/// Each pixel has its own colour; where `is_smooth`, the mean of the four nearest, by their distance. Levels are rounded to
/// the nearest, as in exact converters. Where `is_first`, they replace the sums. `room` has place for 3 * (step + 4) samples.
void CPixelLoops_add_shared_colors(CPixelLoops_SharedRow row, size_t width, bool is_smooth, bool is_first,
                                   CPixelLoops_Weights weights, size_t step, int16_t *room, uint16_t *sums);

/// Writes rows of red, green and blue levels, `step` apart, as one row of RGB.
void CPixelLoops_join_colors(const uint16_t *levels, size_t step, size_t width, uint8_t *pixels);

/// A frame of a video in the colours of BT.709: planes of luma and of both colours for two columns and two rows, with levels
/// from 16 on. Colours lie at the left of their two columns, as in most videos. The size is even.
typedef struct {
    int width, height;
    uint8_t *luma, *blue, *red;
    ptrdiff_t luma_bytes_per_row, color_bytes_per_row;
} CPixelLoops_VideoFrame;

/// Writes rows of RGB without padding as a video frame. A missing last column or row repeats the one before it.
/// Returns false if memory ran out.
///
/// Source: ITU-R BT.709-6, sections 3.2 to 3.5.
bool CPixelLoops_pack_video(const uint8_t *pixels, int width, int height, CPixelLoops_VideoFrame frame);

/// Adds to each of `count` sums, but the last, how far a sample is from the next one and from that of the other row.
void CPixelLoops_add_steps(const uint8_t *row, const uint8_t *other, size_t count, uint16_t *sums);

/// The number of parts of a picture, in each direction, in which neighbouring colours are compared.
enum { CPIXELLOOPS_ROUGH_PARTS = 64 };

/// The least number of rough parts with which a program that does not interpolate colours may show another picture. Videos
/// have the same bound.
enum { CPIXELLOOPS_LEAST_ROUGH_PARTS = 8 };

/// Whether a part is rough, by the means of the steps from its colours to their neighbours, in levels.
static inline bool CPixelLoops_is_rough(float blue, float red) {
    // Interpolated colours are made of three neighbours, with quarters of what these differ by.
    float most = 1.772f * blue, other = 1.402f * red, green = 0.344f * blue + 0.714f * red;
    if (other > most) most = other;
    if (green > most) most = green;
    // Smaller differences are not visible.
    return most / 4 >= 8;
}

/// Averages the totals of `rows` rows of red, green and blue, which are `step` apart, over each `horizontal` pixels, and
/// writes pixels of three bytes.
void CPixelLoops_average_planes(const uint32_t *totals, size_t step, size_t width, size_t horizontal, size_t rows,
                                uint8_t *target);

/// The sum of the products of up to 64 values with their factors, each taken as positive and as `most` if it is more. `most`
/// is at most 65,535, so that the sum has room.
uint32_t CPixelLoops_bounded_length(const int16_t *values, const uint16_t *factors, size_t count, uint32_t most);

/// The next place from `start` on at which a JPEG marker that is no part of coded data, or the name of a box of a movie may
/// begin; `count` where there is none.
size_t CPixelLoops_next_media_place(const uint8_t *bytes, size_t start, size_t count);

/// The next place from `start` on at which a start code, a packet or a signature of a stream without a container may begin;
/// `count` where there is none. Zeros are found at the last of them that can belong to a code.
size_t CPixelLoops_next_stream_place(const uint8_t *bytes, size_t start, size_t count);

/// Returns the number of bytes that are 0 or 255.
size_t CPixelLoops_count_extremes(const uint8_t *row, size_t count);

/// Whether any two bytes at the same place differ by more than `levels`.
bool CPixelLoops_differ(const uint8_t *one, const uint8_t *other, size_t count, uint8_t levels);

/// The same for sums of 16 bits that were not collected, where `horizontal` times `rows` is at most 257. `room` has place for
/// twice `width` sums.
void CPixelLoops_average_sums_of_planes(const uint16_t *sums, size_t step, size_t width, size_t horizontal, size_t rows,
                                        uint16_t *room, uint8_t *target);

/// The samples of one of the blocks along a length.
typedef struct {
    int start, end;
} CPixelLoops_Block;

/// Divides a length into `count` blocks, and returns one of them; a block without a sample gets the nearest one.
static inline CPixelLoops_Block CPixelLoops_block_at(int index, int count, int length) {
    int start = (int)((int64_t)length * index / count), end = (int)((int64_t)length * (index + 1) / count);
    return (CPixelLoops_Block){start, end > start ? end : start + 1};
}

/// Pictures are compared by so many parts in each direction.
enum { CPIXELLOOPS_CELLS = 64 };

static inline int CPixelLoops_cell_start(int cell, int length) {
    return CPixelLoops_block_at(cell, CPIXELLOOPS_CELLS, length).start;
}

/// The place behind the last of a part, which has at least one.
static inline int CPixelLoops_cell_end(int cell, int length) {
    return CPixelLoops_block_at(cell, CPIXELLOOPS_CELLS, length).end;
}

/// The difference between two pictures of 64 x 64 parts each.
typedef struct {
    /// The largest difference of the mean of four neighbouring parts, in levels.
    double largest;
    /// The number of parts whose means differ by eight levels or more.
    int visible_parts;
    /// The number of those whose means differ by four levels or more.
    int moved_parts;
    /// The number of those whose pixels differ by twelve levels or more in the mean.
    int detailed_parts;
} CPixelLoops_Difference;

/// Compares two pictures of RGB pixels without padding. Returns whether they differ visibly; -1 where memory ran out.
int CPixelLoops_compare_pictures(
    const uint8_t *one, const uint8_t *other, int width, int height, CPixelLoops_Difference *difference);

/// A plane of samples, or one colour of pixels.
typedef struct {
    const uint8_t *data;
    /// The distances between rows and between samples, in bytes.
    int bytes_per_row, step;
    /// The number of samples in each direction, at least 1.
    int width, height;
    /// The bytes of a sample, 1 or 2, of which `depth` bits from bit `shift` on hold the level.
    int bytes, shift, depth;
} CPixelLoops_Plane;

/// Averages a plane over `columns` by `rows` blocks.
/// - averages: the mean level of each block, in 1/64 of a level of 8 bits.
/// - details: the mean difference between neighbouring samples of a row for each block, and then of a column for each
///   block, in the same unit; may be null.
/// Returns false where memory ran out or the plane has too many rows.
bool CPixelLoops_average_blocks(
    const CPixelLoops_Plane *plane, int columns, int rows, uint16_t *averages, uint16_t *details);

/// The meaning of the bytes of a pixel.
typedef struct {
    /// The size of a pixel, in bytes.
    size_t size;
    /// The positions of the colours and of opacity in a pixel.
    size_t red, green, blue, opacity;
    bool has_opacity;
    /// Whether colours are multiplied by opacity already.
    bool is_premultiplied;
    /// Whether colours are divided by opacity first, and cut off at white; those of pixels without opacity stay.
    bool is_divided;
} CPixelLoops_Format;

/// Whether any of `count` pixels of four bytes has an opacity below `limit`.
bool CPixelLoops_has_opacity_below(const uint8_t *pixels, size_t count, uint8_t limit);

/// Writes `count` pixels as opaque RGB over a grey background of the level `background`.
void CPixelLoops_compose(const uint8_t *pixels, size_t count, CPixelLoops_Format format, uint8_t background,
                         uint8_t *target);

/// A frame with one sample of each colour for two columns and two rows.
typedef struct {
    int width, height;
    const uint8_t *luma, *blue, *red;
    ptrdiff_t luma_bytes_per_row, color_bytes_per_row;
    /// The distance between samples of a colour, in bytes: 1, or 2 where both colours share a plane.
    int color_step;
    CPixelLoops_Weights weights;
} CPixelLoops_SharedFrame;

/// Writes the means of `width` by `height` blocks as RGB pixels, after each pixel became red, green and blue.
/// - is_smooth: whether each pixel has the mean of the four nearest colours, instead of the nearest one.
/// Returns false where memory ran out, or a block would be empty or has more than 257 rows.
bool CPixelLoops_reduce_shared_frame(
    const CPixelLoops_SharedFrame *frame, int width, int height, bool is_smooth, uint8_t *target);

/// Does the same with pixels of any format, over a grey background of the level `background`.
bool CPixelLoops_reduce_pixels(
    const uint8_t *pixels, ptrdiff_t bytes_per_row, int columns, int rows, CPixelLoops_Format format, uint8_t background,
    int width, int height, uint8_t *target);

/// Turns pixels of 1 or 3 bytes (`channels`) without padding clockwise by 0 to 3 quarters, and then mirrors them left to
/// right if `is_mirrored`.
void CPixelLoops_turn(
    const uint8_t *pixels, int width, int height, int channels, int quarters, bool is_mirrored, uint8_t *target);

/// The difference between two signatures of averages and details, in 1/64 of a level of 8 bits.
typedef struct {
    /// The largest difference of an average or a detail.
    uint16_t largest;
    /// The sum of the differences of all averages.
    uint64_t sum;
    /// The number of averages that differ by `change` or more.
    size_t changed_count;
} CPixelLoops_SignatureDifference;

CPixelLoops_SignatureDifference CPixelLoops_compare_signatures(
    const uint16_t *averages, const uint16_t *other_averages, size_t average_count, const uint16_t *details,
    const uint16_t *other_details, size_t detail_count, uint16_t change);

/// The limits of a sketch: the least and the largest edge in samples, the distance over which blocks are searched, and
/// the number of planes.
enum {
    CPIXELLOOPS_SKETCH_BLOCK = 6,
    CPIXELLOOPS_SKETCH_EDGE = 128,
    CPIXELLOOPS_SKETCH_SEARCH = 10,
    CPIXELLOOPS_SKETCH_PLANES = 5
};

/// A small smooth picture of several planes, one after the other, with ranges around each sample.
typedef struct {
    int columns, rows, planes;
    const uint8_t *levels;
    /// The ranges of the levels, of the means of blocks that begin at a sample, and of their activities.
    const uint8_t *low, *high, *mean_low, *mean_high, *activity_low, *activity_high;
} CPixelLoops_Sketch;

/// Smooths the levels of each plane. Returns false where memory ran out.
bool CPixelLoops_smooth_sketch(uint8_t *levels, int columns, int rows, int planes);

/// Writes six planes of ranges for each plane of levels, in the order of `CPixelLoops_Sketch`. Returns false where memory
/// ran out.
bool CPixelLoops_find_sketch_ranges(const uint8_t *levels, int columns, int rows, int planes, uint8_t *ranges);

/// Whether each block of a picture is found in one or two others of the same size, where it may have moved by up to ten
/// samples. docs/streams-internals.md has the rule.
bool CPixelLoops_is_like(const CPixelLoops_Sketch *frame, const CPixelLoops_Sketch *others, int count);

/// The input samples that count for an output sample of a resized axis.
typedef struct {
    /// The first input sample.
    ptrdiff_t start;
    /// The position of its weight, after which those of the following input samples follow.
    ptrdiff_t firstWeight;
    ptrdiff_t count;
} CPixelLoops_Window;

// Pixels are four numbers from here on: three colours, and a fourth number without a meaning.

/// Turns `count` RGB pixels of eight bits into numbers.
void CPixelLoops_unpack(const uint8_t *pixels, size_t count, float *row);

/// Resizes a row: each pixel of the result is the weighted sum of its window.
/// - rounds: whether results are rounded to whole levels from 0 to 255.
void CPixelLoops_narrow(const float *row, const CPixelLoops_Window *windows, size_t count, const float *weights,
                        bool rounds, float *target);

/// Sums rows of `length` pixels by their weights, and rounds to whole levels from 0 to 255.
/// - starts: the first pixel of each row in `rows`.
void CPixelLoops_sum(const float *rows, const ptrdiff_t *starts, const float *weights, size_t count, size_t length,
                     float *target);

/// Writes `count` pixels of a row as values of a tensor.
/// - mean, scale: three numbers each; a value is the level less the mean, times the scale, in the tensor's order.
/// - pixel_step, channel_step: the distance to the next pixel, and to the next channel of a pixel.
void CPixelLoops_write_tensor(const float *row, size_t count, bool is_bgr, const float *mean, const float *scale,
                              size_t pixel_step, size_t channel_step, float *tensor);

/// A colour of a drawing, in levels.
typedef struct {
    ptrdiff_t red, green, blue;
} CPixelLoops_Color;

/// Draws a row of soft ellipses and a fine texture as RGB pixels of eight bits.
/// - columns: for each ellipse, the squared distance of each of `width` columns from its centre.
/// - row: for each ellipse, the squared distance of this row; both in 1,024ths of the squared radius.
/// - texture: the factors of x, of y and of their product, and the number of levels.
void CPixelLoops_draw_row(size_t width, size_t y, CPixelLoops_Color background, size_t ellipse_count,
                          const CPixelLoops_Color *colors, const ptrdiff_t *columns, const ptrdiff_t *row,
                          const ptrdiff_t *texture, uint8_t *target);

/// The means of squares of RGB pixels of `factor` columns and rows; `columns` by `rows` of them.
void CPixelLoops_average_squares(
    const uint8_t *pixels, size_t bytes_per_row, size_t factor, size_t columns, size_t rows, uint8_t *target);

/// Spreads levels over the whole range, in place, if the lightest is lighter than the darkest by `least` or more, and by
/// less than `end`; `least` is over 0. Returns whether it did.
bool CPixelLoops_spread_levels(uint8_t *levels, size_t count, int least, int end);

/// Replaces each level by its opposite.
void CPixelLoops_invert(uint8_t *levels, size_t count);

// The following write frames as planes of luma and of both colours, one after the other without padding, with a colour for
// two columns and two rows.

/// Packs frames with a colour for two columns of a row, in groups of four bytes: luma, blue, luma, red.
/// - luma_is_first: whether luma is the first of two bytes, and not the second.
void CPixelLoops_pack_pairs(
    const uint8_t *pairs, size_t bytes_per_row, size_t width, size_t height, bool luma_is_first, uint8_t *target);

/// Packs a frame that has such planes apart from each other; its weights are not used.
void CPixelLoops_pack_planes(const CPixelLoops_SharedFrame *frame, uint8_t *target);

/// Writes the largest difference of a colour between each of `count` RGB pixels and the other row's; levels are `step` apart.
void CPixelLoops_differences(const uint8_t *first, const uint8_t *second, size_t count, uint8_t *target, size_t step);

/// Counts marks along each line: each sum is the number of marks before its place, so a line has `length` + 1 sums. For
/// `narrow`, a mark of the next line counts as well; for `wide`, those of both neighbours.
void CPixelLoops_sum_marks(const uint8_t *marks, size_t lines, size_t length, int32_t *narrow, int32_t *wide);

/// Writes the largest difference of a colour between each RGB pixel and those on its left and above it.
void CPixelLoops_steps(const uint8_t *pixels, size_t width, size_t height, uint8_t *target);

/// Marks with 1 each square of `side` pixels in which a level is above `bound`, row after row; other marks are 0.
void CPixelLoops_mark_cells(const uint8_t *levels, size_t width, size_t height, uint8_t bound, size_t side, uint8_t *marks);

/// Marks with 1 each level of at least `least` that is no smaller than those of the next lines at its place, and larger than
/// those two and three lines away; other marks are 0.
void CPixelLoops_mark_ridges(const uint8_t *levels, size_t lines, size_t length, uint8_t least, uint8_t *marks);

/// Writes a row of `count` pixels to places of a picture that are `step` bytes apart, which may be negative.
/// A pixel has `channels` bytes (1, 3 or 4); of a grey level, three bytes are written.
void CPixelLoops_place_row(const uint8_t *row, int count, int channels, uint8_t *target, ptrdiff_t step);

#endif
