// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Capture.h"

#include <errno.h>

#include <pipewire/impl-module.h>

static void roundtrip_done(void *data, uint32_t id, int sequence) {
    struct sca_capture *capture = data;
    if (id != PW_ID_CORE) return;
    if (capture->is_listed && sequence == capture->end_sequence && capture->has_node) {
        sca_fail(capture, CPipeWireShims_failure_connection_lost);
    }
    if (sequence != capture->list_sequence) return;
    capture->is_listed = true;
    pw_thread_loop_signal(capture->loop, false);
}

static void core_failed(void *data, uint32_t id, int sequence, int result, const char *text) {
    (void)sequence;
    (void)text;
    struct sca_capture *capture = data;
    // Errors of other objects come to the stream, too.
    if (id != PW_ID_CORE || result != -EPIPE) return;
    if (capture->is_listed) {
        sca_fail(capture, CPipeWireShims_failure_connection_lost);
    } else {
        sca_fail(capture, CPipeWireShims_failure_cannot_connect);
    }
}

static const struct pw_core_events core_events = {
    PW_VERSION_CORE_EVENTS, .done = roundtrip_done, .error = core_failed};

/// Starts PipeWire without its configuration files: those may start programs, ask D-Bus for priorities and load modules
/// that are not needed.
static bool make_context(struct sca_capture *capture) {
    struct pw_properties *properties =
        pw_properties_new(PW_KEY_CONFIG_NAME, "null", PW_KEY_APP_NAME, "SensitiveContentAnalysis", NULL);
    if (!properties) return false;
    capture->context = pw_context_new(pw_thread_loop_get_loop(capture->loop), properties, 0);
    if (!capture->context) return false;
    return pw_context_load_module(capture->context, "libpipewire-module-protocol-native", NULL, NULL) &&
           pw_context_load_module(capture->context, "libpipewire-module-client-node", NULL, NULL);
}

bool sca_start(struct sca_capture *capture) {
    capture->loop = pw_thread_loop_new("pipewire", NULL);
    const bool is_started = capture->loop && make_context(capture) && pw_thread_loop_start(capture->loop) == 0;
    if (!is_started) sca_fail(capture, CPipeWireShims_failure_cannot_connect);
    return is_started;
}

void sca_check_end(struct sca_capture *capture) {
    // The news of a node that has gone may come after that of its link.
    if (!sca_is_over(capture)) capture->end_sequence = pw_core_sync(capture->core, PW_ID_CORE, 0);
}

bool sca_connect(struct sca_capture *capture) {
    const int descriptor = capture->request->remote;
    capture->core = descriptor < 0 ? pw_context_connect(capture->context, NULL, 0)
                                   : pw_context_connect_fd(capture->context, descriptor, NULL, 0);
    if (!capture->core) {
        sca_fail(capture, CPipeWireShims_failure_cannot_connect);
        return false;
    }
    pw_core_add_listener(capture->core, &capture->core_hook, &core_events, capture);
    capture->registry = pw_core_get_registry(capture->core, PW_VERSION_REGISTRY, 0);
    if (!capture->registry) {
        sca_fail(capture, CPipeWireShims_failure_memory);
        return false;
    }
    pw_registry_add_listener(capture->registry, &capture->registry_hook, &sca_registry_events, capture);
    capture->list_sequence = pw_core_sync(capture->core, PW_ID_CORE, 0);
    return true;
}

bool sca_find_node(struct sca_capture *capture) {
    while (!sca_is_over(capture) && !capture->is_listed) pw_thread_loop_wait(capture->loop);
    if (sca_is_over(capture)) return false;
    if (!capture->has_node) {
        sca_fail(capture, CPipeWireShims_failure_no_such_node);
    } else if (capture->is_ambiguous) {
        sca_fail(capture, CPipeWireShims_failure_ambiguous_name);
    } else if (!capture->node_is_video) {
        sca_fail(capture, CPipeWireShims_failure_no_video);
    }
    return !capture->failure;
}
