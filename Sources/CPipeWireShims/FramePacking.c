// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "FramePacking.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// With edges below this, no product of this file exceeds 64 bits: rows and strides have at most 31 bits each.
static const uint32_t largest_edge = 65535;

enum { most_planes = 3 };

/// One plane of the source: where it begins in its block, and how it goes on.
typedef struct {
    const CPipeWireShims_Block *block;
    /// From the beginning of the block.
    uint64_t offset;
    uint64_t stride;
    /// The bytes of a row that mean something.
    uint64_t row_bytes;
    uint64_t rows;
    /// The end of what the source wrote, from the beginning of the block.
    uint64_t end;
} Plane;

/// The planes that the source has, and the rectangle to take of them.
typedef struct {
    Plane planes[most_planes];
    unsigned plane_count;
    uint32_t x, y, width, height;
} Plan;

static uint64_t half(uint64_t length) {
    return (length + 1) / 2;
}

static uint64_t rounded_up(uint64_t length, uint64_t multiple) {
    return (length + multiple - 1) / multiple * multiple;
}

static unsigned count_of_planes(CPipeWireShims_SourceFormat format) {
    return format == CPipeWireShims_source_I420 ? 3 : format == CPipeWireShims_source_NV12 ? 2 : 1;
}

static bool is_pairwise(CPipeWireShims_SourceFormat format) {
    return format == CPipeWireShims_source_YUY2 || format == CPipeWireShims_source_UYVY;
}

static bool is_known(CPipeWireShims_SourceFormat format) {
    return (unsigned)format <= CPipeWireShims_source_RGBA;
}

/// The bytes of one row of a plane.
static uint64_t bytes_of_row(CPipeWireShims_SourceFormat format, unsigned plane, uint64_t width) {
    switch (format) {
        case CPipeWireShims_source_I420: return plane == 0 ? width : half(width);
        case CPipeWireShims_source_NV12: return plane == 0 ? width : 2 * half(width);
        case CPipeWireShims_source_YUY2:
        case CPipeWireShims_source_UYVY: return 4 * half(width);
        default: return 4 * width;
    }
}

bool CPipeWireShims_usual_layout(CPipeWireShims_SourceFormat format, uint32_t width, uint32_t height, int32_t *stride,
                                 int32_t *size) {
    if (!is_known(format) || width == 0 || height == 0 || width > largest_edge || height > largest_edge) return false;
    uint64_t total = 0;
    for (unsigned plane = 0; plane < count_of_planes(format); plane++) {
        total += bytes_of_row(format, plane, width) * (plane == 0 ? height : half(height));
    }
    if (total > INT32_MAX) return false;
    *stride = (int32_t)bytes_of_row(format, 0, width);
    *size = (int32_t)total;
    return true;
}

// Several planes in one block: only the first one's stride is known, and two arrangements are in use. The kernel's puts
// the next plane directly after the rows of the last, and halves the stride. GStreamer's rounds rows to multiples of
// four bytes, and their number to even ones; it is recognized by its total size.

static bool has_rounded_arrangement(const CPipeWireShims_Buffer *buffer, uint64_t stride, uint64_t size) {
    const uint64_t luma = rounded_up(buffer->width, 4);
    if (stride != 0 && stride != luma) return false;
    const uint64_t rows = rounded_up(buffer->height, 2);
    const uint64_t chroma =
        buffer->format == CPipeWireShims_source_I420 ? 2 * rounded_up(half(buffer->width), 4) : luma;
    return size == luma * rows + chroma * (rows / 2);
}

static void arrange_rounded(const CPipeWireShims_Buffer *buffer, Plan *plan) {
    const uint64_t rows = rounded_up(buffer->height, 2);
    const bool is_planar = buffer->format == CPipeWireShims_source_I420;
    plan->planes[0].stride = rounded_up(buffer->width, 4);
    for (unsigned index = 1; index < plan->plane_count; index++) {
        const Plane *last = &plan->planes[index - 1];
        Plane *plane = &plan->planes[index];
        plane->stride = is_planar ? rounded_up(half(buffer->width), 4) : plan->planes[0].stride;
        plane->offset = last->offset + last->stride * (index == 1 ? rows : rows / 2);
    }
}

static void arrange_adjoining(const CPipeWireShims_Buffer *buffer, Plan *plan) {
    Plane *planes = plan->planes;
    if (planes[0].stride == 0) planes[0].stride = planes[0].row_bytes;
    for (unsigned index = 1; index < plan->plane_count; index++) {
        const bool is_planar = buffer->format == CPipeWireShims_source_I420;
        planes[index].stride = is_planar ? half(planes[0].stride) : rounded_up(planes[0].stride, 2);
        planes[index].offset = planes[index - 1].offset + planes[index - 1].stride * planes[index - 1].rows;
    }
}

/// Finds the beginning and the end of what the source wrote into a block.
static bool bounds_of_block(const CPipeWireShims_Block *block, uint64_t *begin, uint64_t *end) {
    if (block->capacity == 0 || block->size == 0 || block->stride < 0) return false;
    if (!block->memory && block->descriptor < 0) return false;
    *begin = block->offset % block->capacity;
    const uint64_t room = block->capacity - *begin;
    *end = *begin + (block->size < room ? block->size : room);
    return true;
}

static bool is_inside(const Plane *plane) {
    // Rows that overlap are not what a source means.
    if (plane->stride < plane->row_bytes) return false;
    return plane->offset + plane->stride * (plane->rows - 1) + plane->row_bytes <= plane->end;
}

/// Finds the planes, and checks that every byte of them is inside of its block.
static bool find_planes(const CPipeWireShims_Buffer *buffer, Plan *plan) {
    plan->plane_count = count_of_planes(buffer->format);
    if (buffer->block_count == 0 || buffer->block_count > CPipeWireShims_most_blocks) return false;
    const bool shares_block = buffer->block_count == 1;
    if (!shares_block && buffer->block_count < plan->plane_count) return false;
    for (unsigned index = 0; index < plan->plane_count; index++) {
        const CPipeWireShims_Block *block = &buffer->blocks[shares_block ? 0 : index];
        Plane *plane = &plan->planes[index];
        *plane = (Plane){.block = block,
                         .row_bytes = bytes_of_row(buffer->format, index, buffer->width),
                         .rows = index == 0 ? buffer->height : half(buffer->height)};
        if (!bounds_of_block(block, &plane->offset, &plane->end)) return false;
        plane->stride = (uint64_t)block->stride;
        if (!shares_block && plane->stride == 0) plane->stride = plane->row_bytes;
    }
    if (shares_block) {
        const Plane *first = &plan->planes[0];
        if (plan->plane_count > 1 && has_rounded_arrangement(buffer, first->stride, first->end - first->offset)) {
            arrange_rounded(buffer, plan);
        } else {
            arrange_adjoining(buffer, plan);
        }
    }
    for (unsigned index = 0; index < plan->plane_count; index++) {
        if (!is_inside(&plan->planes[index])) return false;
    }
    return true;
}

static bool find_rectangle(const CPipeWireShims_Buffer *buffer, Plan *plan) {
    const CPipeWireShims_Crop crop = buffer->crop;
    if (crop.width == 0 || crop.height == 0) {
        plan->x = plan->y = 0;
        plan->width = buffer->width;
        plan->height = buffer->height;
        return true;
    }
    if (crop.x < 0 || crop.y < 0) return false;
    plan->x = (uint32_t)crop.x;
    plan->y = (uint32_t)crop.y;
    plan->width = crop.width;
    plan->height = crop.height;
    return (uint64_t)plan->x + crop.width <= buffer->width && (uint64_t)plan->y + crop.height <= buffer->height;
}

/// Makes room for so many bytes. Memory that is much too large is given back: sizes may change for good.
static bool reserve(uint8_t **bytes, size_t *capacity, size_t count) {
    if (*bytes && count <= *capacity && *capacity / 4 <= count) return true;
    free(*bytes);
    *bytes = malloc(count);
    *capacity = *bytes ? count : 0;
    return *bytes != NULL;
}

/// Copies bytes of a block, which the caller has checked to be inside of it.
static bool read_block(const CPipeWireShims_Block *block, uint64_t offset, uint8_t *to, size_t count) {
    if (block->memory) {
        memcpy(to, block->memory + offset, count);
        return true;
    }
    while (count > 0) {
        const uint64_t position = block->position + offset;
        if (position < offset || position > INT64_MAX) return false;
        const ssize_t taken = pread(block->descriptor, to, count, (off_t)position);
        if (taken < 0 && errno == EINTR) continue;
        // Nothing: the other process has shrunk the memory.
        if (taken <= 0) return false;
        to += taken;
        offset += (uint64_t)taken;
        count -= (size_t)taken;
    }
    return true;
}

/// Copies a rectangle of a plane, in bytes, without padding.
static bool copy_plane(const Plane *plane, uint64_t first_byte, uint64_t bytes, uint64_t first_row, uint64_t rows,
                       uint8_t *to) {
    const uint64_t offset = plane->offset + plane->stride * first_row + first_byte;
    // One call instead of one for every row.
    if (plane->stride == bytes) return read_block(plane->block, offset, to, (size_t)(bytes * rows));
    for (uint64_t row = 0; row < rows; row++) {
        if (!read_block(plane->block, offset + plane->stride * row, to + bytes * row, (size_t)bytes)) return false;
    }
    return true;
}

/// Copies planes as they are. A rectangle that begins between two chroma samples takes those before it.
static bool copy_planes(const CPipeWireShims_Buffer *buffer, const Plan *plan, uint8_t *to) {
    const uint64_t columns = half(plan->width), rows = half(plan->height);
    if (!copy_plane(&plan->planes[0], plan->x, plan->width, plan->y, plan->height, to)) return false;
    to += (uint64_t)plan->width * plan->height;
    const uint64_t sample = buffer->format == CPipeWireShims_source_NV12 ? 2 : 1;
    for (unsigned index = 1; index < plan->plane_count; index++) {
        const Plane *plane = &plan->planes[index];
        if (!copy_plane(plane, plan->x / 2 * sample, columns * sample, plan->y / 2, rows, to)) return false;
        to += columns * sample * rows;
    }
    return true;
}

// Source of the factors: ITU-R BT.709-6, section 3, for 8-bit samples in video range; in 1/65536, and rounded so that
// grey has no colour.
enum { luma_red = 11966, luma_green = 40254, luma_blue = 4064 };
enum { blue_red = -6596, blue_green = -22189, blue_blue = 28785 };
enum { red_red = 28784, red_green = -26145, red_blue = -2639 };

static inline uint8_t level(int sum, int offset) { return (uint8_t)((sum + (offset << 16) + (1 << 15)) >> 16); }

/// The places of red and blue in a pixel of four bytes, whose second is green.
typedef struct {
    unsigned red, blue;
} Order;

static void convert_luma(const uint8_t *pixels, Order order, uint64_t width, uint8_t *to) {
    for (uint64_t column = 0; column < width; column++) {
        const uint8_t *pixel = pixels + 4 * column;
        to[column] = level(luma_red * pixel[order.red] + luma_green * pixel[1] + luma_blue * pixel[order.blue], 16);
    }
}

static void convert_chroma(const uint8_t *upper, const uint8_t *lower, Order order, uint64_t width, uint8_t *u,
                           uint8_t *v) {
    for (uint64_t column = 0; column < half(width); column++) {
        const uint64_t left = 8 * column, right = 2 * column + 1 < width ? left + 4 : left;
        int sums[3];
        for (unsigned byte = 0; byte < 3; byte++) {
            sums[byte] = (upper[left + byte] + upper[right + byte] + lower[left + byte] + lower[right + byte] + 2) / 4;
        }
        const int red = sums[order.red], green = sums[1], blue = sums[order.blue];
        u[column] = level(blue_red * red + blue_green * green + blue_blue * blue, 128);
        v[column] = level(red_red * red + red_green * green + red_blue * blue, 128);
    }
}

static void note_opacity(CPipeWireShims_Packing *packing, uint64_t bytes) {
    uint8_t least = 255;
    for (uint64_t index = 3; index < bytes; index += 4) least = packing->rows[index] < least ? packing->rows[index] : least;
    if (least < 255) packing->has_opacity = true;
}

/// Converts pixels of four bytes, two rows at a time.
static bool convert_pixels(const CPipeWireShims_Buffer *buffer, const Plan *plan, CPipeWireShims_Packing *packing) {
    const bool begins_with_red =
        buffer->format == CPipeWireShims_source_RGBx || buffer->format == CPipeWireShims_source_RGBA;
    const bool has_alpha =
        buffer->format == CPipeWireShims_source_BGRA || buffer->format == CPipeWireShims_source_RGBA;
    const Order order = {.red = begins_with_red ? 0 : 2, .blue = begins_with_red ? 2 : 0};
    const uint64_t bytes = 4 * (uint64_t)plan->width, columns = half(plan->width);
    uint8_t *luma = packing->bytes, *u = luma + (uint64_t)plan->width * plan->height;
    uint8_t *v = u + columns * half(plan->height);
    for (uint64_t row = 0; row < plan->height; row += 2) {
        const uint64_t count = plan->height - row < 2 ? 1 : 2;
        const uint64_t first = 4 * (uint64_t)plan->x;
        if (!copy_plane(&plan->planes[0], first, bytes, plan->y + row, count, packing->rows)) return false;
        const uint8_t *lower = packing->rows + bytes * (count - 1);
        if (has_alpha) note_opacity(packing, bytes * count);
        convert_luma(packing->rows, order, plan->width, luma);
        if (count == 2) convert_luma(lower, order, plan->width, luma + plan->width);
        convert_chroma(packing->rows, lower, order, plan->width, u, v);
        luma += plan->width * count;
        u += columns;
        v += columns;
    }
    return true;
}

/// Takes the luma of a row of pairs. `first` is 1 if the row begins with the second pixel of a pair.
static void split_luma(const uint8_t *pairs, unsigned luma, unsigned first, uint32_t width, uint8_t *to) {
    for (uint32_t column = 0; column < width; column++) to[column] = pairs[2 * ((uint64_t)column + first) + luma];
}

static void average_chroma(const uint8_t *upper, const uint8_t *lower, unsigned chroma, uint64_t columns, uint8_t *u,
                           uint8_t *v) {
    for (uint64_t column = 0; column < columns; column++) {
        const uint64_t at = 4 * column + chroma;
        u[column] = (uint8_t)((upper[at] + lower[at] + 1) / 2);
        v[column] = (uint8_t)((upper[at + 2] + lower[at + 2] + 1) / 2);
    }
}

/// Converts pairs of pixels with common chroma, two rows at a time.
static bool convert_pairs(const CPipeWireShims_Buffer *buffer, const Plan *plan, CPipeWireShims_Packing *packing) {
    const bool is_uyvy = buffer->format == CPipeWireShims_source_UYVY;
    const Plane *plane = &plan->planes[0];
    const uint64_t columns = half(plan->width), first_pair = plan->x / 2;
    const uint64_t bytes = 4 * (half((uint64_t)plan->x + plan->width) - first_pair);
    uint8_t *luma = packing->bytes, *u = luma + (uint64_t)plan->width * plan->height;
    uint8_t *v = u + columns * half(plan->height);
    for (uint64_t row = 0; row < plan->height; row += 2) {
        const uint64_t count = plan->height - row < 2 ? 1 : 2;
        if (!copy_plane(plane, 4 * first_pair, bytes, plan->y + row, count, packing->rows)) return false;
        const uint8_t *lower = packing->rows + bytes * (count - 1);
        split_luma(packing->rows, is_uyvy ? 1 : 0, plan->x % 2, plan->width, luma);
        if (count == 2) split_luma(lower, is_uyvy ? 1 : 0, plan->x % 2, plan->width, luma + plan->width);
        average_chroma(packing->rows, lower, is_uyvy ? 0 : 1, columns, u, v);
        luma += plan->width * count;
        u += columns;
        v += columns;
    }
    return true;
}

static bool copy(const CPipeWireShims_Buffer *buffer, const Plan *plan, CPipeWireShims_Packing *packing) {
    if (is_pairwise(buffer->format)) return convert_pairs(buffer, plan, packing);
    if (plan->plane_count > 1) return copy_planes(buffer, plan, packing->bytes);
    return convert_pixels(buffer, plan, packing);
}

CPipeWireShims_PackingResult CPipeWireShims_pack(const CPipeWireShims_Buffer *buffer,
                                                 const CPipeWireShims_Limits *limits, CPipeWireShims_Packing *packing,
                                                 CPipeWireShims_Frame *frame) {
    Plan plan;
    if (!is_known(buffer->format)) return CPipeWireShims_packing_unreadable;
    if (buffer->width == 0 || buffer->height == 0) return CPipeWireShims_packing_unreadable;
    if (buffer->width > largest_edge || buffer->height > largest_edge) return CPipeWireShims_packing_refused_size;
    if (!find_rectangle(buffer, &plan) || !find_planes(buffer, &plan)) return CPipeWireShims_packing_unreadable;
    if (plan.width > limits->max_edge || plan.height > limits->max_edge) return CPipeWireShims_packing_refused_size;
    if ((uint64_t)plan.width * plan.height > limits->max_pixels) return CPipeWireShims_packing_refused_size;

    const uint64_t size = (uint64_t)plan.width * plan.height + 2 * half(plan.width) * half(plan.height);
    if (size > PTRDIFF_MAX) return CPipeWireShims_packing_refused_size;
    if (!reserve(&packing->bytes, &packing->capacity, (size_t)size)) return CPipeWireShims_packing_memory;
    if (plan.plane_count == 1) {
        // Two rows of pixels of four bytes, which are longer than two rows of pairs.
        const size_t rows_size = 8 * ((size_t)plan.width + 2);
        if (!reserve(&packing->rows, &packing->rows_capacity, rows_size)) return CPipeWireShims_packing_memory;
    }
    packing->has_opacity = false;
    if (!copy(buffer, &plan, packing)) return CPipeWireShims_packing_unreadable;
    frame->format = buffer->format == CPipeWireShims_source_NV12 ? CPipeWireShims_NV12 : CPipeWireShims_I420;
    frame->width = plan.width;
    frame->height = plan.height;
    frame->bytes = packing->bytes;
    frame->byte_count = (size_t)size;
    return CPipeWireShims_packed;
}

bool CPipeWireShims_hides_parts(const CPipeWireShims_Buffer *buffer, const CPipeWireShims_Packing *packing) {
    // Encoders and cameras pad frames to blocks of this many columns and rows.
    enum { most_padding = 16 };
    const CPipeWireShims_Crop crop = buffer->crop;
    const bool has_crop = crop.width > 0 && crop.height > 0;
    const bool is_cut = has_crop && (crop.x >= most_padding || crop.y >= most_padding ||
                                     buffer->width - crop.width >= most_padding ||
                                     buffer->height - crop.height >= most_padding);
    return packing->has_opacity || is_cut;
}

void CPipeWireShims_packing_free(CPipeWireShims_Packing *packing) {
    free(packing->bytes);
    free(packing->rows);
    *packing = (CPipeWireShims_Packing){0};
}
