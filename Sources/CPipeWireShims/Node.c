// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "Capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool parse_number(const char *text, uint64_t *number) {
    if (!text || *text < '0' || *text > '9') return false;
    char *rest;
    errno = 0;
    *number = strtoull(text, &rest, 10);
    return errno == 0 && *rest == 0;
}

struct sca_target sca_parse_target(const char *text) {
    struct sca_target target = {.kind = sca_by_name, .name = text};
    if (parse_number(text, &target.number)) {
        target.kind = sca_by_serial;
    } else if (strncmp(text, "id:", 3) == 0 && parse_number(text + 3, &target.number)) {
        target.kind = sca_by_id;
    }
    return target;
}

static bool lookup_number(const struct spa_dict *properties, const char *key, uint64_t *number) {
    return parse_number(spa_dict_lookup(properties, key), number);
}

static bool is_wanted(const struct sca_target *target, uint32_t id, uint64_t serial, const struct spa_dict *properties) {
    if (target->kind == sca_by_serial) return serial == target->number;
    if (target->kind == sca_by_id) return id == target->number;
    const char *name = spa_dict_lookup(properties, PW_KEY_NODE_NAME);
    return name && strcmp(name, target->name) == 0;
}

/// Whether a node may give video. Some sources state no class.
static bool may_give_video(const struct spa_dict *properties) {
    const char *class = spa_dict_lookup(properties, PW_KEY_MEDIA_CLASS);
    if (!class) return true;
    return strstr(class, "Video") && !strstr(class, "Input") && !strstr(class, "Sink");
}

static void node_appeared(struct sca_capture *capture, uint32_t id, const struct spa_dict *properties) {
    uint64_t serial;
    // The choice is made once: a later node of the same name is another node.
    if (capture->is_listed || !lookup_number(properties, PW_KEY_OBJECT_SERIAL, &serial)) return;
    if (!is_wanted(&capture->target, id, serial, properties)) return;
    const bool is_video = may_give_video(properties);
    if (capture->has_node) {
        // Another program may take the other one.
        if (capture->node_is_video && is_video) capture->is_ambiguous = true;
        if (capture->node_is_video) return;
    }
    capture->has_node = true;
    capture->node_id = id;
    capture->node_serial = serial;
    capture->node_is_video = is_video;
}

/// The session manager decides what it links; a link that it moves, or makes to a default node, must not be believed.
static void link_appeared(struct sca_capture *capture, uint32_t id, const struct spa_dict *properties) {
    uint64_t from, to;
    if (!capture->stream) return;
    const uint32_t own = pw_stream_get_node_id(capture->stream);
    if (own == SPA_ID_INVALID || !lookup_number(properties, PW_KEY_LINK_INPUT_NODE, &to) || to != own) return;
    if (lookup_number(properties, PW_KEY_LINK_OUTPUT_NODE, &from) && from == capture->node_id) {
        capture->link_id = id;
        capture->had_link = true;
    } else {
        sca_fail(capture, CPipeWireShims_failure_other_node);
    }
}

static void global_appeared(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
                            const struct spa_dict *properties) {
    (void)permissions;
    (void)version;
    if (!type || !properties) return;
    if (strcmp(type, PW_TYPE_INTERFACE_Node) == 0) node_appeared(data, id, properties);
    if (strcmp(type, PW_TYPE_INTERFACE_Link) == 0) link_appeared(data, id, properties);
}

static void global_went(void *data, uint32_t id) {
    struct sca_capture *capture = data;
    if (capture->has_node && id == capture->node_id) {
        capture->has_node = false;
        if (capture->is_listed) sca_end(capture);
    }
    if (capture->link_id != SPA_ID_INVALID && id == capture->link_id) {
        capture->link_id = SPA_ID_INVALID;
        // Before the first frame the session manager may try again.
        if (capture->had_frame) sca_check_end(capture);
    }
}

const struct pw_registry_events sca_registry_events = {
    PW_VERSION_REGISTRY_EVENTS, .global = global_appeared, .global_remove = global_went};
