// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Capture.h"

#include <string.h>

static void buffers_arrived(void *data) {
    struct sca_capture *capture = data;
    // The source could refill returned buffers as fast as they are taken: not more than it can have.
    for (int count = 0; count < 2 * sca_most_buffers; count++) {
        struct pw_buffer *next = pw_stream_dequeue_buffer(capture->stream);
        if (!next) break;
        // A picture that nobody has seen yet is worth more than a newer buffer without one.
        if (!capture->has_format || !next->buffer || sca_is_without_picture(next->buffer)) {
            pw_stream_queue_buffer(capture->stream, next);
            continue;
        }
        sca_release_newest(capture);
        capture->newest = next;
    }
    if (capture->newest) pw_thread_loop_signal(capture->loop, false);
}

static void buffer_goes(void *data, struct pw_buffer *buffer) {
    struct sca_capture *capture = data;
    if (capture->newest == buffer) capture->newest = NULL;
}

static void parameter_changed(void *data, uint32_t id, const struct spa_pod *parameter) {
    struct sca_capture *capture = data;
    if (id != SPA_PARAM_Format || sca_is_over(capture)) return;
    // The kept buffer has the old format.
    sca_release_newest(capture);
    capture->has_format = parameter && sca_read_format(capture, parameter);
    if (capture->has_format) sca_answer_format(capture);
}

/// PipeWire has no codes for these; the texts only choose between failures.
static void stream_failed(struct sca_capture *capture, const char *text) {
    if (!text) text = "unknown error";
    if (strstr(text, "no node available") || strstr(text, "no target node")) {
        sca_fail(capture, CPipeWireShims_failure_no_such_node);
    } else if (!capture->has_format && strstr(text, "format")) {
        sca_fail(capture, CPipeWireShims_failure_no_readable_format);
    } else {
        sca_fail(capture, CPipeWireShims_failure_stream);
    }
}

static void state_changed(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *text) {
    struct sca_capture *capture = data;
    if (state == PW_STREAM_STATE_ERROR) stream_failed(capture, text);
    if (state == PW_STREAM_STATE_UNCONNECTED && old != PW_STREAM_STATE_UNCONNECTED) sca_check_end(capture);
}

static const struct pw_stream_events stream_events = {PW_VERSION_STREAM_EVENTS,
                                                      .state_changed = state_changed,
                                                      .param_changed = parameter_changed,
                                                      .remove_buffer = buffer_goes,
                                                      .process = buffers_arrived};

/// Asks the session manager for the one node and no other, in the words of all its versions. `link_appeared` checks.
static struct pw_properties *stream_properties(uint64_t serial) {
    struct pw_properties *properties = pw_properties_new(
        PW_KEY_MEDIA_TYPE, "Video", PW_KEY_MEDIA_CATEGORY, "Capture", PW_KEY_NODE_DONT_RECONNECT, "true",
        "node.dont-fallback", "true", "node.dont-move", "true", "state.restore-target", "false", NULL);
    if (properties) pw_properties_setf(properties, PW_KEY_TARGET_OBJECT, "%llu", (unsigned long long)serial);
    return properties;
}

bool sca_open_stream(struct sca_capture *capture) {
    struct pw_properties *properties = stream_properties(capture->node_serial);
    if (properties) capture->stream = pw_stream_new(capture->core, "SensitiveContentAnalysis", properties);
    if (!capture->stream) {
        sca_fail(capture, CPipeWireShims_failure_memory);
        return false;
    }
    pw_stream_add_listener(capture->stream, &capture->stream_hook, &stream_events, capture);
    uint8_t space[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(space, sizeof space);
    const struct spa_pod *offers[] = {sca_build_offer(&builder, capture->request->limits.max_edge)};
    // No conversion: the adapter for it is of no use, and its module is not loaded.
    const enum pw_stream_flags flags = PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS |
                                       PW_STREAM_FLAG_DONT_RECONNECT | PW_STREAM_FLAG_NO_CONVERT;
    const int result = pw_stream_connect(capture->stream, PW_DIRECTION_INPUT, PW_ID_ANY, flags, offers, 1);
    if (result < 0) sca_fail(capture, CPipeWireShims_failure_stream);
    return result >= 0;
}
