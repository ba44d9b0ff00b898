// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Capture.h"

#include <stdlib.h>
#include <unistd.h>

/// The largest edge for which the arithmetic of FramePacking is meant.
static const uint32_t largest_edge = 65535;

void sca_fail(struct sca_capture *capture, CPipeWireShims_Failure failure) {
    if (sca_is_over(capture)) return;
    capture->failure = failure;
    if (capture->loop) pw_thread_loop_signal(capture->loop, false);
}

void sca_end(struct sca_capture *capture) {
    if (!capture->had_frame) {
        sca_fail(capture, CPipeWireShims_failure_no_such_node);
        return;
    }
    if (capture->failure) return;
    capture->is_ended = true;
    pw_thread_loop_signal(capture->loop, false);
}

bool sca_is_over(const struct sca_capture *capture) { return capture->failure || capture->is_ended; }

static void time_is_up(void *data, uint64_t expirations) {
    (void)expirations;
    struct sca_capture *capture = data;
    if (capture->had_frame) return;
    if (!capture->is_listed) {
        sca_fail(capture, CPipeWireShims_failure_cannot_connect);
    } else if (capture->had_link && !capture->has_format) {
        sca_fail(capture, CPipeWireShims_failure_no_readable_format);
    } else {
        sca_fail(capture, CPipeWireShims_failure_no_frame);
    }
}

static bool set_time_limit(struct sca_capture *capture) {
    struct pw_loop *loop = pw_thread_loop_get_loop(capture->loop);
    capture->timer = pw_loop_add_timer(loop, time_is_up, capture);
    if (!capture->timer) {
        sca_fail(capture, CPipeWireShims_failure_memory);
        return false;
    }
    const unsigned seconds = capture->request->seconds_to_first_frame;
    // A time of zero would disarm it.
    struct timespec limit = {.tv_sec = seconds > 0 ? seconds : 1};
    pw_loop_update_timer(loop, capture->timer, &limit, NULL, false);
    return true;
}

static void reader_went(void *data, int descriptor, uint32_t events) {
    (void)descriptor;
    (void)events;
    struct sca_capture *capture = data;
    if (sca_is_over(capture)) return;
    capture->is_ended = true;
    pw_thread_loop_signal(capture->loop, false);
}

/// Ends the capture with its reader: a source that is still gives no frame whose writing would fail.
static bool watch_output(struct sca_capture *capture) {
    if (capture->request->output < 0) return true;
    struct pw_loop *loop = pw_thread_loop_get_loop(capture->loop);
    const uint32_t events = SPA_IO_ERR | SPA_IO_HUP;
    capture->output_watch = pw_loop_add_io(loop, capture->request->output, events, false, reader_went, capture);
    if (!capture->output_watch) sca_fail(capture, CPipeWireShims_failure_memory);
    return capture->output_watch != NULL;
}

/// The next frame, or false at the end.
static bool next_frame(struct sca_capture *capture, CPipeWireShims_Frame *frame) {
    // A remote of the portal may hide links; it also hides every node that was not chosen.
    const bool may_hide_links = capture->request->remote >= 0;
    while (!sca_is_over(capture)) {
        const bool may_read = capture->newest && (capture->link_id != SPA_ID_INVALID || may_hide_links);
        if (!may_read) {
            pw_thread_loop_wait(capture->loop);
            continue;
        }
        const bool has_frame = sca_read_frame(capture, capture->newest->buffer, frame);
        sca_release_newest(capture);
        if (has_frame) return true;
    }
    return false;
}

static void run(struct sca_capture *capture) {
    const CPipeWireShims_Request *request = capture->request;
    if (!set_time_limit(capture) || !watch_output(capture) || !sca_find_node(capture)) return;
    if (request->ready(request->context) != 0 || !sca_open_stream(capture)) return;
    CPipeWireShims_Frame frame;
    bool goes_on = true;
    while (goes_on && next_frame(capture, &frame)) {
        // Without the lock, so that events go on while the receiver takes its time.
        pw_thread_loop_unlock(capture->loop);
        goes_on = request->receive(request->context, &frame) == 0;
        pw_thread_loop_lock(capture->loop);
    }
}

static void tear_down(struct sca_capture *capture) {
    if (capture->loop) pw_thread_loop_stop(capture->loop);
    // Later events are no failures.
    capture->is_ended = true;
    if (capture->timer) pw_loop_destroy_source(pw_thread_loop_get_loop(capture->loop), capture->timer);
    if (capture->output_watch) pw_loop_destroy_source(pw_thread_loop_get_loop(capture->loop), capture->output_watch);
    if (capture->stream) pw_stream_destroy(capture->stream);
    if (capture->registry) pw_proxy_destroy((struct pw_proxy *)capture->registry);
    if (capture->core) pw_core_disconnect(capture->core);
    if (capture->context) pw_context_destroy(capture->context);
    if (capture->loop) pw_thread_loop_destroy(capture->loop);
    CPipeWireShims_packing_free(&capture->packing);
}

int CPipeWireShims_capture(const CPipeWireShims_Request *request) {
    struct sca_capture capture = {
        .request = request, .target = sca_parse_target(request->target), .link_id = SPA_ID_INVALID};
    const uint32_t edge = request->limits.max_edge;
    if (*request->target == 0 || edge == 0 || edge > largest_edge || request->limits.max_pixels == 0) {
        if (request->remote >= 0) close(request->remote);
        return CPipeWireShims_failure_argument;
    }
    pw_init(NULL, NULL);
    // It warns of the absent configuration.
    if (!getenv("PIPEWIRE_DEBUG")) pw_log_set_level(SPA_LOG_LEVEL_ERROR);
    if (sca_start(&capture)) {
        pw_thread_loop_lock(capture.loop);
        if (sca_connect(&capture)) run(&capture);
        pw_thread_loop_unlock(capture.loop);
    } else if (request->remote >= 0) {
        close(request->remote);
    }
    tear_down(&capture);
    pw_deinit();
    return capture.failure;
}
