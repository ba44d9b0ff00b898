// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "Capture.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/// The major number of devices of Video4Linux2.
enum { video_device_major = 81 };

/// Larger blocks are no pictures; below this, PipeWire's own 32-bit arithmetic about mappings does not overflow.
static const uint32_t largest_block = 1u << 30;

// The source can change these values at any time. Each is read once, so that the checked value is the used one.
#define ONCE(value) (*(volatile const __typeof__(value) *)&(value))

bool sca_is_without_picture(const struct spa_buffer *buffer) {
    if (buffer->n_datas == 0) return true;
    // Buffers that are called damaged or empty count, because other programs show them.
    const struct spa_chunk *chunk = buffer->datas[0].chunk;
    return !chunk || ONCE(chunk->size) == 0;
}

/// Says how the memory of a block is read. The source may shrink the memory of a descriptor while it is mapped here,
/// and touching it would then raise SIGBUS; pread only returns less. That works for the kernel's shared memory, which
/// alone has seals. A camera's own memory must be mapped, but is not the source's to shrink. All else is refused: a
/// file of some file systems could block for ever.
static bool find_memory(const struct spa_data *data, CPipeWireShims_Block *block) {
    block->descriptor = -1;
    if (data->type == SPA_DATA_MemPtr) {
        block->memory = data->data;
        return data->data != NULL;
    }
    if (data->type != SPA_DATA_MemFd || data->fd < 0 || data->fd > INT_MAX) return false;
    if (fcntl((int)data->fd, F_GET_SEALS) >= 0) {
        block->descriptor = (int)data->fd;
        block->position = data->mapoffset;
        return true;
    }
    struct stat status;
    if (fstat((int)data->fd, &status) < 0 || !S_ISCHR(status.st_mode)) return false;
    block->memory = data->data;
    return data->data && major(status.st_rdev) == video_device_major;
}

static bool describe_block(const struct spa_data *data, CPipeWireShims_Block *block) {
    *block = (CPipeWireShims_Block){0};
    const struct spa_chunk *chunk = data->chunk;
    if (!chunk || data->maxsize == 0 || data->maxsize > largest_block || !find_memory(data, block)) return false;
    block->capacity = data->maxsize;
    block->offset = ONCE(chunk->offset);
    block->size = ONCE(chunk->size);
    block->stride = ONCE(chunk->stride);
    return true;
}

static CPipeWireShims_Crop read_crop(const struct spa_buffer *buffer) {
    const struct spa_meta_region *meta = spa_buffer_find_meta_data(buffer, SPA_META_VideoCrop, sizeof *meta);
    if (!meta) return (CPipeWireShims_Crop){0};
    return (CPipeWireShims_Crop){.x = ONCE(meta->region.position.x),
                                 .y = ONCE(meta->region.position.y),
                                 .width = ONCE(meta->region.size.width),
                                 .height = ONCE(meta->region.size.height)};
}

static bool describe_buffer(const struct sca_format *format, const struct spa_buffer *buffer,
                            CPipeWireShims_Buffer *description) {
    *description = (CPipeWireShims_Buffer){
        .format = format->format, .width = format->width, .height = format->height, .crop = read_crop(buffer)};
    description->block_count = buffer->n_datas;
    if (buffer->n_datas > CPipeWireShims_most_blocks) return false;
    for (uint32_t index = 0; index < buffer->n_datas; index++) {
        if (!describe_block(&buffer->datas[index], &description->blocks[index])) return false;
    }
    return true;
}

/// The header says of 90 degrees that this counter-clockwise turn was applied to the buffer: a clockwise one undoes it.
static bool read_turns(const struct spa_buffer *buffer, unsigned *turns) {
    const struct spa_meta_videotransform *meta =
        spa_buffer_find_meta_data(buffer, SPA_META_VideoTransform, sizeof *meta);
    const uint32_t transform = meta ? ONCE(meta->transform) : SPA_META_TRANSFORMATION_None;
    *turns = transform;
    return transform <= SPA_META_TRANSFORMATION_270;
}

static void report_packing(struct sca_capture *capture, CPipeWireShims_PackingResult result) {
    if (result == CPipeWireShims_packing_memory) {
        sca_fail(capture, CPipeWireShims_failure_memory);
    } else if (result == CPipeWireShims_packing_refused_size) {
        sca_fail(capture, CPipeWireShims_failure_refused_size);
    } else {
        // Another program may show what cannot be read here.
        sca_fail(capture, CPipeWireShims_failure_unreadable_frames);
    }
}

bool sca_read_frame(struct sca_capture *capture, const struct spa_buffer *buffer, CPipeWireShims_Frame *frame) {
    CPipeWireShims_Buffer description;
    *frame = (CPipeWireShims_Frame){.is_full_range = capture->format.is_full_range,
                                    .matrix = capture->format.matrix};
    if (!read_turns(buffer, &frame->quarter_turns)) {
        sca_fail(capture, CPipeWireShims_failure_unsupported_transform);
        return false;
    }
    CPipeWireShims_PackingResult result = CPipeWireShims_packing_unreadable;
    if (describe_buffer(&capture->format, buffer, &description)) {
        result = CPipeWireShims_pack(&description, &capture->request->limits, &capture->packing, frame);
    }
    if (result != CPipeWireShims_packed) {
        report_packing(capture, result);
        return false;
    }
    if (capture->request->is_for_other_player && CPipeWireShims_hides_parts(&description, &capture->packing)) {
        sca_fail(capture, CPipeWireShims_failure_ambiguous_frames);
        return false;
    }
    if (!CPipeWireShims_turn(frame, &capture->packing)) {
        sca_fail(capture, CPipeWireShims_failure_memory);
        return false;
    }
    capture->had_frame = true;
    return true;
}

void sca_release_newest(struct sca_capture *capture) {
    if (capture->newest) pw_stream_queue_buffer(capture->stream, capture->newest);
    capture->newest = NULL;
}
