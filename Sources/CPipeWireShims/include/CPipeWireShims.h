// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Captures the video of one PipeWire node. PipeWire's own functions cannot be called from Swift: most of what they need
// are inline functions and macros that build variable structures, which the importer drops.

#ifndef SCA_CPIPEWIRESHIMS_H
#define SCA_CPIPEWIRESHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How the bytes of a packed frame are arranged.
typedef enum {
    /// A plane of luma, and one each of U and V with half as many columns and rows, rounded up.
    CPipeWireShims_I420 = 0,
    /// A plane of luma, and one of alternating U and V with half as many columns and rows, rounded up.
    CPipeWireShims_NV12 = 1
} CPipeWireShims_Format;

/// Why a capture failed. The numbers are exit codes of the program, which HelperProtocol reads.
typedef enum {
    /// The arguments make no sense.
    CPipeWireShims_failure_argument = 1,
    /// No daemon accepts the connection, or it does not answer in time.
    CPipeWireShims_failure_cannot_connect = 2,
    /// No node has that name or number.
    CPipeWireShims_failure_no_such_node = 3,
    /// The node offers no format that can be read.
    CPipeWireShims_failure_no_readable_format = 4,
    /// The connection to the daemon ended.
    CPipeWireShims_failure_connection_lost = 5,
    /// The first frame did not come in time.
    CPipeWireShims_failure_no_frame = 6,
    /// There is not enough memory.
    CPipeWireShims_failure_memory = 7,
    /// The frames are larger than the limits.
    CPipeWireShims_failure_refused_size = 8,
    /// The frames are mirrored.
    CPipeWireShims_failure_unsupported_transform = 9,
    /// The frames consist of two fields.
    CPipeWireShims_failure_interlaced = 10,
    /// The source described a buffer in a way that cannot be true, or its memory cannot be read.
    CPipeWireShims_failure_unreadable_frames = 11,
    /// PipeWire reported another error.
    CPipeWireShims_failure_stream = 12,
    /// The session manager links another node.
    CPipeWireShims_failure_other_node = 13,
    /// The node gives no video.
    CPipeWireShims_failure_no_video = 14,
    /// Several nodes of video have the name.
    CPipeWireShims_failure_ambiguous_name = 15,
    /// Another player shows more of the frames, or shows them with their opacity.
    CPipeWireShims_failure_ambiguous_frames = 16
} CPipeWireShims_Failure;

/// The size that a frame may have.
typedef struct {
    /// The most columns, and the most rows.
    uint32_t max_edge;
    /// The most pixels.
    uint64_t max_pixels;
} CPipeWireShims_Limits;

/// One frame, which is valid until the receiver returns.
typedef struct {
    /// How the bytes are arranged.
    CPipeWireShims_Format format;
    /// The width in pixels, after the crop.
    uint32_t width;
    /// The height in pixels, after the crop.
    uint32_t height;
    /// Whether samples use 0 to 255; false if the source does not say.
    bool is_full_range;
    /// The matrix of the colours: 601, 709, or 0 if it is another, or unspecified.
    int matrix;
    /// The clockwise quarter turns, 0 to 3, after which the frame is upright.
    unsigned quarter_turns;
    /// The planes, one after the other and without padding.
    const uint8_t *bytes;
    /// The number of bytes.
    size_t byte_count;
} CPipeWireShims_Frame;

/// The capture that is wanted, and the functions that are called on the calling thread.
typedef struct {
    /// The descriptor of org.freedesktop.portal's OpenPipeWireRemote, whose ownership moves; -1 for the usual daemon.
    int remote;
    /// The serial number of a node if it consists of digits, the number of a node (as a portal gives it) if it consists
    /// of "id:" and digits, and otherwise its name, which one node of video must have.
    const char *target;
    /// The limits of a frame, which hold before memory is allocated for it.
    CPipeWireShims_Limits limits;
    /// Whether another player shows the node, so that frames with opacity or with hidden parts are a failure.
    bool is_for_other_player;
    /// The time until the first frame.
    unsigned seconds_to_first_frame;
    /// A pipe; the capture ends when nobody reads it any more. -1 for none.
    int output;
    /// Called when PipeWire has loaded its parts and found the node. Returns 0 to go on.
    int (*ready)(void *context);
    /// Takes one frame. Returns 0 to go on.
    int (*receive)(void *context, const CPipeWireShims_Frame *frame);
    void *context;
} CPipeWireShims_Request;

/// Captures the video of a node until a function of the request says so, the node goes away or something fails.
///
/// The receiver may take its time: frames that arrive meanwhile are dropped, except the newest, and the source does not
/// wait. Returns 0 at the end that a function wanted, or that came after the first frame; otherwise a
/// CPipeWireShims_Failure value.
int CPipeWireShims_capture(const CPipeWireShims_Request *request);

#endif
