// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "COpenVINO.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *COpenVINO_load(const char *path, COpenVINO_Functions *functions) {
    // Local: the symbols of a C++ library of this size must not stand in for those of the app.
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    memset(functions, 0, sizeof *functions);
#define COPENVINO_FIND(result, name, parameters)                             \
    {                                                                        \
        void *found = dlsym(library, #name);                                 \
        if (!found) return "the library has no function " #name;             \
        memcpy(&functions->name, &found, sizeof found);                      \
    }
    COPENVINO_FUNCTIONS(COPENVINO_FIND)
#undef COPENVINO_FIND
    // Never unloaded: OpenVINO's threads outlive its last object.
    return NULL;
}

int COpenVINO_create_core(const COpenVINO_Functions *functions, const char *folder, ov_core_t **core) {
    if (folder[0] != '/') return -1;
    int list = memfd_create("plugins.xml", MFD_CLOEXEC);
    if (list < 0) return -1;
    // The second path leads nowhere: nothing here makes batches.
    int length = dprintf(list,
                         "<ie><plugins>"
                         "<plugin name=\"CPU\" location=\"%s/libopenvino_intel_cpu_plugin.so\"></plugin>"
                         "<plugin name=\"BATCH\" location=\"/dev/null/libopenvino_auto_batch_plugin.so\"></plugin>"
                         "</plugins></ie>",
                         folder);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", list);
    int status = length < 0 ? -1 : functions->ov_core_create_with_config(path, core);
    close(list);
    return status;
}
