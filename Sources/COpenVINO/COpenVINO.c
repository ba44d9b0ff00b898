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

int COpenVINO_compile_model(const COpenVINO_Functions *functions, const ov_core_t *core, const char *path,
                            const char *device, const char *const *properties, size_t count,
                            ov_compiled_model_t **model) {
    enum { most = 8, invalid_parameter = -14 };
    if (count > most) return invalid_parameter;
    const char *p[2 * most] = {0};
    memcpy(p, properties, 2 * count * sizeof *p);
    // The callee reads as many as the number says; the rest is padding.
    return functions->ov_core_compile_model_from_file(
        core, path, device, 2 * count, model, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10],
        p[11], p[12], p[13], p[14], p[15]);
}
