// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Compares our declarations of OpenVINO's C API with its own. It compiles where they agree; nothing is run.

#include <stddef.h>

// The enumerations first, as they are; then their names mean `int`, as in our declarations of functions.
#include <openvino/c/ov_common.h>

_Static_assert(sizeof(ov_status_e) == sizeof(int), "ov_status_e is no int");
_Static_assert(sizeof(ov_element_type_e) == sizeof(int), "ov_element_type_e is no int");
enum { real_success = OK, real_F32 = F32 };
#define ov_element_type_e int

#include <openvino/c/openvino.h>

// Our structures under other names, so that both can be compared. The list of functions is a macro, and means the
// real structures where it is used below.
#define ov_dimension declared_dimension
#define ov_dimension_t declared_dimension_t
#define ov_partial_shape declared_partial_shape
#define ov_partial_shape_t declared_partial_shape_t
#define ov_shape_t declared_shape_t
#define ov_property_t declared_property_t
#define ov_version declared_version
#define ov_version_t declared_version_t
#include "COpenVINO.h"
#undef ov_dimension
#undef ov_dimension_t
#undef ov_partial_shape
#undef ov_partial_shape_t
#undef ov_shape_t
#undef ov_property_t
#undef ov_version
#undef ov_version_t

_Static_assert((int)COpenVINO_F32 == (int)real_F32, "COpenVINO_F32 has another value");
_Static_assert(real_success == 0, "success is not 0");

#define SAME_PLACE(ours, theirs, member) \
    _Static_assert(offsetof(ours, member) == offsetof(theirs, member), #theirs "." #member " is elsewhere");
#define SAME_MEMBER(ours, theirs, member)                                                              \
    SAME_PLACE(ours, theirs, member)                                                                   \
    _Static_assert(__builtin_types_compatible_p(__typeof__(((ours *)0)->member), __typeof__(((theirs *)0)->member)), \
                   #theirs "." #member " has another type");
#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs " has another size");

SAME_SIZE(declared_dimension_t, ov_dimension_t)
SAME_MEMBER(declared_dimension_t, ov_dimension_t, min)
SAME_MEMBER(declared_dimension_t, ov_dimension_t, max)
// The types of these members are the two structures that are compared above, under different names.
SAME_SIZE(declared_partial_shape_t, ov_partial_shape_t)
SAME_PLACE(declared_partial_shape_t, ov_partial_shape_t, rank)
SAME_PLACE(declared_partial_shape_t, ov_partial_shape_t, dims)

SAME_SIZE(declared_shape_t, ov_shape_t)
SAME_MEMBER(declared_shape_t, ov_shape_t, rank)
SAME_MEMBER(declared_shape_t, ov_shape_t, dims)
SAME_SIZE(declared_property_t, ov_property_t)
SAME_MEMBER(declared_property_t, ov_property_t, key)
SAME_MEMBER(declared_property_t, ov_property_t, value)
SAME_SIZE(declared_version_t, ov_version_t)
SAME_MEMBER(declared_version_t, ov_version_t, buildNumber)
SAME_MEMBER(declared_version_t, ov_version_t, description)

#define SAME_FUNCTION(result, name, parameters)                                               \
    _Static_assert(__builtin_types_compatible_p(result(*) parameters, __typeof__(&name)),     \
                   #name " is declared differently");
COPENVINO_FUNCTIONS(SAME_FUNCTION)
