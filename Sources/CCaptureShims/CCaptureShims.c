// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CCaptureShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int call(int device, unsigned long request, void *argument) {
    int result;
    do {
        result = ioctl(device, request, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

// The kernel's number of Video4Linux2 devices (include/linux/major.h).
enum { video_major = 81 };

int CCaptureShims_open(const char *path) {
    // Opening alone changes some devices: it arms a watchdog, and rewinds a tape.
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return -errno;
    struct stat status;
    int device = -ENODEV;
    if (fstat(place, &status) == 0 && S_ISCHR(status.st_mode) && major(status.st_rdev) == video_major) {
        char name[64];
        snprintf(name, sizeof name, "/proc/self/fd/%d", place);
        device = open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        if (device < 0) device = -errno;
    }
    close(place);
    return device;
}

int CCaptureShims_captures_video(int device) {
    struct v4l2_capability capability = {0};
    int error = call(device, VIDIOC_QUERYCAP, &capability);
    if (error < 0) return error;
    bool names_device = (capability.capabilities & V4L2_CAP_DEVICE_CAPS) != 0;
    uint32_t capabilities = names_device ? capability.device_caps : capability.capabilities;
    return (capabilities & V4L2_CAP_VIDEO_CAPTURE) != 0 && (capabilities & V4L2_CAP_STREAMING) != 0;
}

int CCaptureShims_format_at(int device, uint32_t index, uint32_t *pixel_format) {
    struct v4l2_fmtdesc description = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    int error = call(device, VIDIOC_ENUM_FMT, &description);
    *pixel_format = description.pixelformat;
    return error;
}

// The kernel derives what a driver leaves out from the colour space.
static uint32_t matrix(const struct v4l2_pix_format *format) {
    uint32_t encoding = format->ycbcr_enc;
    if (encoding == V4L2_YCBCR_ENC_DEFAULT) encoding = V4L2_MAP_YCBCR_ENC_DEFAULT(format->colorspace);
    switch (encoding) {
    case V4L2_YCBCR_ENC_601: return 601;
    case V4L2_YCBCR_ENC_709: return 709;
    default: return 0;
    }
}

static bool is_full_range(const struct v4l2_pix_format *format) {
    uint32_t quantization = format->quantization;
    if (quantization == V4L2_QUANTIZATION_DEFAULT) {
        quantization = V4L2_MAP_QUANTIZATION_DEFAULT(false, format->colorspace, format->ycbcr_enc);
    }
    return quantization == V4L2_QUANTIZATION_FULL_RANGE;
}

static CCaptureShims_Format described(const struct v4l2_pix_format *pixels) {
    return (CCaptureShims_Format){
        .width = pixels->width, .height = pixels->height, .pixel_format = pixels->pixelformat,
        .bytes_per_row = pixels->bytesperline, .byte_count = pixels->sizeimage,
        .is_progressive = pixels->field == V4L2_FIELD_NONE, .is_full_range = is_full_range(pixels),
        .matrix = matrix(pixels)};
}

int CCaptureShims_get_format(int device, CCaptureShims_Format *format) {
    struct v4l2_format answer = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    int error = call(device, VIDIOC_G_FMT, &answer);
    if (error < 0) return error;
    *format = described(&answer.fmt.pix);
    return 0;
}

int CCaptureShims_set_format(int device, CCaptureShims_Format *format) {
    struct v4l2_format answer = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    struct v4l2_pix_format *pixels = &answer.fmt.pix;
    pixels->width = format->width;
    pixels->height = format->height;
    pixels->pixelformat = format->pixel_format;
    pixels->field = V4L2_FIELD_NONE;
    int error = call(device, VIDIOC_S_FMT, &answer);
    if (error < 0) return error;
    *format = described(pixels);
    return 0;
}

int CCaptureShims_set_interval(int device, uint32_t *numerator, uint32_t *denominator) {
    struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    struct v4l2_fract *interval = &parameters.parm.capture.timeperframe;
    interval->numerator = *numerator;
    interval->denominator = *denominator;
    int error = call(device, VIDIOC_S_PARM, &parameters);
    *numerator = interval->numerator;
    *denominator = interval->denominator;
    return error;
}

int CCaptureShims_make_buffers(int device, uint32_t *count) {
    struct v4l2_requestbuffers request = {
        .count = *count, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    int error = call(device, VIDIOC_REQBUFS, &request);
    *count = request.count;
    return error;
}

int CCaptureShims_buffer_at(int device, uint32_t index, uint32_t *length, uint32_t *offset) {
    struct v4l2_buffer buffer = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    int error = call(device, VIDIOC_QUERYBUF, &buffer);
    *length = buffer.length;
    *offset = buffer.m.offset;
    return error;
}

int CCaptureShims_queue(int device, uint32_t index) {
    struct v4l2_buffer buffer = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    return call(device, VIDIOC_QBUF, &buffer);
}

int CCaptureShims_dequeue(int device, CCaptureShims_Buffer *buffer) {
    struct v4l2_buffer filled = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    int error = call(device, VIDIOC_DQBUF, &filled);
    if (error < 0) return error;
    bool is_monotonic = (filled.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    int64_t moment;
    if (!is_monotonic || __builtin_mul_overflow((int64_t)filled.timestamp.tv_sec, 1000000, &moment) ||
        __builtin_add_overflow(moment, (int64_t)filled.timestamp.tv_usec, &moment))
        moment = -1;
    *buffer = (CCaptureShims_Buffer){
        .index = filled.index, .byte_count = filled.bytesused,
        .is_damaged = (filled.flags & V4L2_BUF_FLAG_ERROR) != 0,
        .is_whole = filled.field == V4L2_FIELD_NONE || filled.field == V4L2_FIELD_ANY,
        .moment = moment};
    return 0;
}

int CCaptureShims_stream(int device, bool is_on) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return call(device, is_on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF, &type);
}
