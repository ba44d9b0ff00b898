// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Shared by the files of a capture; Swift does not see it.
//
// There are two threads. PipeWire's events come on a thread of its own, which never waits for the receiver. It keeps
// the newest buffer and returns all older ones, so that the source always has buffers to write to. The calling thread
// copies the kept buffer when the receiver is ready for the next frame. The lock of PipeWire's loop guards everything.

#ifndef SCA_CPIPEWIRESHIMS_CAPTURE_H
#define SCA_CPIPEWIRESHIMS_CAPTURE_H

#include "CPipeWireShims.h"
#include "FramePacking.h"

#include <pipewire/pipewire.h>
#include <spa/pod/builder.h>

// The macros of PipeWire 0.3's headers compare numbers of different signs.
#pragma GCC diagnostic ignored "-Wsign-compare"

/// The most buffers that a source may share.
enum { sca_most_buffers = 64 };

/// The node that the caller named.
struct sca_target {
    enum { sca_by_name, sca_by_serial, sca_by_id } kind;
    const char *name;
    uint64_t number;
};

/// The negotiated format.
struct sca_format {
    CPipeWireShims_SourceFormat format;
    uint32_t width, height;
    bool is_full_range;
    int matrix;
};

struct sca_capture {
    struct pw_thread_loop *loop;
    struct pw_context *context;
    struct pw_core *core;
    struct pw_registry *registry;
    struct pw_stream *stream;
    struct spa_source *timer, *output_watch;
    struct spa_hook core_hook, registry_hook, stream_hook;

    const CPipeWireShims_Request *request;
    struct sca_target target;

    bool is_listed;
    int list_sequence;
    /// The roundtrip after which the node must have gone, or its stream was cut off.
    int end_sequence;
    bool has_node;
    uint32_t node_id;
    uint64_t node_serial;
    bool node_is_video;
    bool is_ambiguous;
    /// The link from the node to this stream, or SPA_ID_INVALID.
    uint32_t link_id;
    /// Whether there ever was one.
    bool had_link;

    bool has_format;
    struct sca_format format;
    struct pw_buffer *newest;
    CPipeWireShims_Packing packing;
    bool had_frame;

    bool is_ended;
    int failure;
};

/// Keeps the first failure, because later failures are its consequences.
void sca_fail(struct sca_capture *capture, CPipeWireShims_Failure failure);
/// Ends a capture whose node has gone, which is a failure before the first frame.
void sca_end(struct sca_capture *capture);
/// Ends a capture whose stream was cut off, which is a failure unless the node has gone too.
void sca_check_end(struct sca_capture *capture);
bool sca_is_over(const struct sca_capture *capture);

/// Reads the name, the serial or the number of a node.
struct sca_target sca_parse_target(const char *text);
extern const struct pw_registry_events sca_registry_events;

/// Starts PipeWire's library and its thread.
bool sca_start(struct sca_capture *capture);
/// Connects and asks for the list of all objects. The descriptor belongs to the connection afterwards.
bool sca_connect(struct sca_capture *capture);
/// Waits for the list of objects, and looks for the target in it.
bool sca_find_node(struct sca_capture *capture);

/// Returns the offer of all formats that are read, in the memory of the builder.
const struct spa_pod *sca_build_offer(struct spa_pod_builder *builder, uint32_t max_edge);
/// Reads the negotiated format, which may be another one than was offered.
bool sca_read_format(struct sca_capture *capture, const struct spa_pod *parameter);
/// Asks for buffers that fit the format.
void sca_answer_format(struct sca_capture *capture);

/// Whether the source says that there is no picture, as for a frame that only moves the pointer.
bool sca_is_without_picture(const struct spa_buffer *buffer);
/// Copies a buffer. Returns whether there is a frame.
bool sca_read_frame(struct sca_capture *capture, const struct spa_buffer *buffer, CPipeWireShims_Frame *frame);

/// Opens the stream from the node.
bool sca_open_stream(struct sca_capture *capture);
/// Returns the kept buffer to its source.
void sca_release_newest(struct sca_capture *capture);

#endif
