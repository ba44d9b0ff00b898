// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol

/// The texts about the sandbox around a helper process.
enum SandboxText {
    /// Returns the layers in force, in one line.
    static func summary(of report: SandboxReport) -> String {
        let layers = SandboxLayer.allCases.filter(report.layers.contains).map { layer in
            layer == .landlock ? "\(layer.name) (version \(report.landlockVersion))" : layer.name
        }
        return layers.isEmpty ? "no layer is in force" : layers.joined(separator: ", ")
    }

    /// Returns the missing layers, their consequence and their remedies.
    static func explanation(of report: SandboxReport) -> String {
        let missing = report.missingLayers.map { "\($0.name): \(remedy(for: $0))" }
        return "Media is decoded without some layers of the sandbox. " + missing.joined(separator: " ")
            + " In force: \(summary(of: report))."
    }

    private static func remedy(for layer: SandboxLayer) -> String {
        switch layer {
        case .namespaces:
            "the kernel gives this user no namespaces. Allow them (sysctl user.max_user_namespaces, on some systems"
                + " kernel.unprivileged_userns_clone or an AppArmor profile with userns), also in the container if this"
                + " is one."
        case .emptyFileSystem: "the kernel refuses to mount in a namespace of one's own, or there is none."
        case .landlock:
            "the kernel has no Landlock. Use Linux 5.13 or later with landlock among its security modules (lsm=)."
        case .systemCallFilter: "the kernel cannot filter system calls (CONFIG_SECCOMP_FILTER)."
        case .memoryLimit:
            "the decoder was built with a sanitizer, which needs all addresses, or cannot read /proc. Build it without"
                + " one, or mount /proc."
        case .noNewPrivileges, .resourceLimits: "left out by a test."
        }
    }
}
