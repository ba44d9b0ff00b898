// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The functions of OpenVINO's C API that are used, declared after the published reference of OpenVINO 2026
// (docs.openvino.ai, "OpenVINO Runtime C API"). They are loaded when they are needed and not linked: an app would not
// even start where OpenVINO is missing, and an app whose policy is disabled never loads it.
// IntegrationTests/openvino-declarations compares this file with the headers of the installed version.

#ifndef SCA_COPENVINO_H
#define SCA_COPENVINO_H

#include <stddef.h>
#include <stdint.h>

typedef struct ov_core ov_core_t;
typedef struct ov_model ov_model_t;
typedef struct ov_compiled_model ov_compiled_model_t;
typedef struct ov_infer_request ov_infer_request_t;
typedef struct ov_tensor ov_tensor_t;

typedef struct ov_dimension {
    int64_t min;
    int64_t max;
} ov_dimension_t;

typedef struct ov_partial_shape {
    ov_dimension_t rank;
    ov_dimension_t *dims;
} ov_partial_shape_t;

typedef struct {
    int64_t rank;
    int64_t *dims;
} ov_shape_t;

typedef struct {
    const char *key;
    const void *value;
} ov_property_t;

typedef struct ov_version {
    const char *buildNumber;
    const char *description;
} ov_version_t;

/// The value of `ov_element_type_e` for 32-bit floating point numbers.
enum { COpenVINO_F32 = 4 };

/// Every function that is used, with `int` for the enumeration `ov_status_e`, whose value 0 is success.
#define COPENVINO_FUNCTIONS(FUNCTION)                                                                             \
    FUNCTION(int, ov_get_openvino_version, (ov_version_t *))                                                      \
    FUNCTION(void, ov_version_free, (ov_version_t *))                                                             \
    FUNCTION(const char *, ov_get_error_info, (int))                                                              \
    FUNCTION(const char *, ov_get_last_err_msg, (void))                                                           \
    FUNCTION(void, ov_free, (const char *))                                                                       \
    FUNCTION(int, ov_core_create_with_config, (const char *, ov_core_t **))                                       \
    FUNCTION(void, ov_core_free, (ov_core_t *))                                                                   \
    FUNCTION(int, ov_core_set_properties,                                                                         \
             (const ov_core_t *, const char *, const size_t, const ov_property_t *))                              \
    FUNCTION(int, ov_core_read_model_from_memory_buffer,                                                          \
             (const ov_core_t *, const char *, const size_t, const ov_tensor_t *, ov_model_t **))                 \
    FUNCTION(void, ov_model_free, (ov_model_t *))                                                                 \
    FUNCTION(int, ov_model_reshape_single_input, (const ov_model_t *, const ov_partial_shape_t))                  \
    FUNCTION(int, ov_core_compile_model_props,                                                                    \
             (const ov_core_t *, const ov_model_t *, const char *, const size_t, const ov_property_t *,           \
              ov_compiled_model_t **))                                                                            \
    FUNCTION(int, ov_core_import_model,                                                                           \
             (const ov_core_t *, const char *, const size_t, const char *, ov_compiled_model_t **))               \
    FUNCTION(int, ov_compiled_model_export_model, (const ov_compiled_model_t *, const char *))                    \
    FUNCTION(void, ov_compiled_model_free, (ov_compiled_model_t *))                                               \
    FUNCTION(int, ov_compiled_model_inputs_size, (const ov_compiled_model_t *, size_t *))                         \
    FUNCTION(int, ov_compiled_model_create_infer_request, (const ov_compiled_model_t *, ov_infer_request_t **))   \
    FUNCTION(void, ov_infer_request_free, (ov_infer_request_t *))                                                 \
    FUNCTION(int, ov_infer_request_get_tensor, (const ov_infer_request_t *, const char *, ov_tensor_t **))        \
    FUNCTION(int, ov_infer_request_get_input_tensor, (const ov_infer_request_t *, ov_tensor_t **))                \
    FUNCTION(int, ov_infer_request_infer, (ov_infer_request_t *))                                                 \
    FUNCTION(int, ov_tensor_get_element_type, (const ov_tensor_t *, int *))                                       \
    FUNCTION(int, ov_tensor_get_shape, (const ov_tensor_t *, ov_shape_t *))                                       \
    FUNCTION(int, ov_shape_free, (ov_shape_t *))                                                                  \
    FUNCTION(int, ov_tensor_get_byte_size, (const ov_tensor_t *, size_t *))                                       \
    FUNCTION(int, ov_tensor_data, (const ov_tensor_t *, void **))                                                 \
    FUNCTION(void, ov_tensor_free, (ov_tensor_t *))

/// The loaded library.
typedef struct {
#define COPENVINO_POINTER(result, name, parameters) result(*name) parameters;
    COPENVINO_FUNCTIONS(COPENVINO_POINTER)
#undef COPENVINO_POINTER
} COpenVINO_Functions;

/// Loads the library at an absolute path and finds its functions. Returns NULL, or the reason for failure.
/// Provided because the members are found by name.
const char *COpenVINO_load(const char *path, COpenVINO_Functions *functions);

/// Makes a core that knows the plug-in for processors alone, by its path in the folder of the library.
///
/// A core without a list of plug-ins looks for the one that makes batches in the current folder as well, and runs it.
///
/// - Parameter folder: absolute, and escaped for XML.
/// - Returns: 0, an error of OpenVINO, or -1 where the list cannot be made; `core` is set at 0 only.
int COpenVINO_create_core(const COpenVINO_Functions *functions, const char *folder, ov_core_t **core);

#endif
