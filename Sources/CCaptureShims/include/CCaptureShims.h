// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The system calls of video capture devices (Video4Linux2).
//
// They are C because ioctl is variadic, and because the structures of the kernel's header have unions and bit fields
// that Swift reads badly. No function decides anything. Each returns 0 or the stated value, or a negative errno value.
//
// Source: the kernel's "Video for Linux API", and linux/videodev2.h.

#ifndef SCA_CCAPTURESHIMS_H
#define SCA_CCAPTURESHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The format of frames, as the program wishes it or as the driver answers.
typedef struct {
    uint32_t width, height;
    /// The code of four letters.
    uint32_t pixel_format;
    uint32_t bytes_per_row, byte_count;
    /// Whether a frame is whole, and not one of two fields or both of them.
    bool is_progressive;
    bool is_full_range;
    /// 601 or 709, the recommendation of the ITU with the factors of the colours; 0 for another or none.
    uint32_t matrix;
} CCaptureShims_Format;

/// A buffer that the driver has filled.
typedef struct {
    uint32_t index;
    uint32_t byte_count;
    bool is_damaged;
    /// Whether the frame is not one of two fields, or both of them.
    bool is_whole;
    /// The time of the first byte, in microseconds of the monotonic clock; negative if the driver has another clock.
    int64_t moment;
} CCaptureShims_Buffer;

/// Opens a device, without waiting and closed in programs that are started. Returns the descriptor, or -ENODEV for a
/// file that is no device of Video4Linux2, which is not opened.
int CCaptureShims_open(const char *path);

/// Whether the device captures video into single planes, and streams buffers: 1 or 0.
int CCaptureShims_captures_video(int device);

/// Gives the code of the format with this number. Returns -EINVAL after the last one.
int CCaptureShims_format_at(int device, uint32_t index, uint32_t *pixel_format);

/// Gives the format in force.
int CCaptureShims_get_format(int device, CCaptureShims_Format *format);

/// Sets the format. The driver changes what it does not have.
int CCaptureShims_set_format(int device, CCaptureShims_Format *format);

/// Sets the time of a frame, as a fraction of seconds. The driver changes what it does not have.
int CCaptureShims_set_interval(int device, uint32_t *numerator, uint32_t *denominator);

/// Makes this number of buffers, or frees all with 0. The driver may make more or fewer.
int CCaptureShims_make_buffers(int device, uint32_t *count);

/// Gives the length of a buffer and its position for mmap, both in bytes.
int CCaptureShims_buffer_at(int device, uint32_t index, uint32_t *length, uint32_t *offset);

/// Gives a buffer to the driver.
int CCaptureShims_queue(int device, uint32_t index);

/// Takes the oldest filled buffer. Returns -EAGAIN if there is none.
int CCaptureShims_dequeue(int device, CCaptureShims_Buffer *buffer);

/// Starts or ends the capture.
int CCaptureShims_stream(int device, bool is_on);

#endif
