// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "COpenVINO.h"

#include <dlfcn.h>
#include <string.h>

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
