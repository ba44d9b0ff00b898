// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The environment variables that OpenVINO and its libraries obey, and with which a verdict can be forged.
///
/// Tried: `ONEDNN_VERBOSE=1` makes every score 0, and `INTEL_LIBITTNOTIFY64` names a library whose code then runs. They
/// are read in the process of the app, so a process that has one gets no verdict.
///
/// Source: the names in the strings of OpenVINO 2026.4's libraries.
enum OpenVINOVariables {
    private static let prefixes = [
        "DNNL_", "HWLOC_", "INTEL_ITTNOTIFY_", "INTEL_JIT_PROFILER", "INTEL_LIBITTNOTIFY", "ITT_", "ONEDNN_",
        "OPENVINO_", "OV_",
    ]

    /// The first such variable in alphabetical order, or nil.
    static func first(in environment: [String: String]) -> String? {
        environment.keys.filter { name in prefixes.contains { name.hasPrefix($0) } }.min()
    }
}
