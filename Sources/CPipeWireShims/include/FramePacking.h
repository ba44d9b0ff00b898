// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The part of the capture that reads what a hostile source wrote. It knows nothing of PipeWire, so that it can be
// tested and fuzzed alone.

#ifndef SCA_FRAMEPACKING_H
#define SCA_FRAMEPACKING_H

#include "CPipeWireShims.h"

/// The formats that a source may have.
typedef enum {
    /// Three planes.
    CPipeWireShims_source_I420,
    /// Two planes.
    CPipeWireShims_source_NV12,
    /// Y U Y V for each pair of pixels.
    CPipeWireShims_source_YUY2,
    /// U Y V Y for each pair of pixels.
    CPipeWireShims_source_UYVY,
    /// Four bytes a pixel, the last without meaning.
    CPipeWireShims_source_BGRx,
    /// Four bytes a pixel, the last without meaning.
    CPipeWireShims_source_RGBx,
    /// Four bytes a pixel.
    CPipeWireShims_source_BGRA,
    /// Four bytes a pixel.
    CPipeWireShims_source_RGBA
} CPipeWireShims_SourceFormat;

/// The most blocks of memory that a buffer may consist of.
enum { CPipeWireShims_most_blocks = 4 };

/// One block of a buffer's memory: where it is, and which part the source says it wrote.
typedef struct {
    /// The memory, of which `capacity` bytes are mapped; null if `descriptor` is read instead.
    const uint8_t *memory;
    /// A descriptor to read with pread: memory that another process may shrink cannot be touched without SIGBUS.
    int descriptor;
    /// Where the block begins in the descriptor.
    uint64_t position;
    /// The size of the block.
    uint32_t capacity;
    /// Where the picture begins, modulo `capacity`.
    uint32_t offset;
    /// How many bytes of the block belong to the picture.
    uint32_t size;
    /// The distance from one row to the next, or 0 if the source does not say.
    int32_t stride;
} CPipeWireShims_Block;

/// A rectangle of a picture.
typedef struct {
    /// The first column.
    int32_t x;
    /// The first row.
    int32_t y;
    /// The number of columns; with 0 there is no rectangle.
    uint32_t width;
    /// The number of rows; with 0 there is no rectangle.
    uint32_t height;
} CPipeWireShims_Crop;

/// A buffer as its source describes it, every number of which may be wrong.
typedef struct {
    /// The negotiated format.
    CPipeWireShims_SourceFormat format;
    /// The negotiated width.
    uint32_t width;
    /// The negotiated height.
    uint32_t height;
    /// The part that is to be seen.
    CPipeWireShims_Crop crop;
    /// The number of blocks: one, or one for each plane.
    uint32_t block_count;
    /// The blocks.
    CPipeWireShims_Block blocks[CPipeWireShims_most_blocks];
} CPipeWireShims_Buffer;

/// The memory of packed frames, which is kept from one to the next; all zero at first.
typedef struct {
    /// The packed frame.
    uint8_t *bytes;
    /// The size of that allocation.
    size_t capacity;
    /// Two rows of the source, for formats that are converted.
    uint8_t *rows;
    /// The size of that allocation.
    size_t rows_capacity;
    /// Whether the last packed frame has a pixel that is not opaque.
    bool has_opacity;
} CPipeWireShims_Packing;

/// The result of packing a buffer.
typedef enum {
    /// The frame is complete.
    CPipeWireShims_packed = 0,
    /// The description cannot be true, or the memory could not be read.
    CPipeWireShims_packing_unreadable,
    /// The frame is larger than the limits.
    CPipeWireShims_packing_refused_size,
    /// There is not enough memory.
    CPipeWireShims_packing_memory
} CPipeWireShims_PackingResult;

/// Whether a buffer has parts that other programs show and a packed frame does not: opacity, or what the crop leaves out.
/// `packing` has the rows of the last pack.
bool CPipeWireShims_hides_parts(const CPipeWireShims_Buffer *buffer, const CPipeWireShims_Packing *packing);

/// Copies a buffer's picture without padding, and sets the frame's format, size and bytes; the rest of the frame stays.
CPipeWireShims_PackingResult CPipeWireShims_pack(const CPipeWireShims_Buffer *buffer,
                                                 const CPipeWireShims_Limits *limits, CPipeWireShims_Packing *packing,
                                                 CPipeWireShims_Frame *frame);

/// Turns a packed frame upright. Returns false if there is not enough memory.
bool CPipeWireShims_turn(CPipeWireShims_Frame *frame, CPipeWireShims_Packing *packing);

/// Frees the memory of packed frames.
void CPipeWireShims_packing_free(CPipeWireShims_Packing *packing);

/// The bytes from one row to the next, and of a whole buffer in one block, in which a source without padding delivers.
/// Returns false for a size that has no such numbers.
bool CPipeWireShims_usual_layout(CPipeWireShims_SourceFormat format, uint32_t width, uint32_t height, int32_t *stride,
                                 int32_t *size);

#endif
