// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CSandboxShims
internal import DecoderProtocol
internal import Glibc

/// Closes the process in which it lives around the libraries that will read hostile media.
///
/// It is made first of all, and closed when everything is loaded and before the first byte of media. A layer that the
/// kernel lacks is left out and not reported; docs/sandbox.md says what each of them is for.
struct Sandbox {
    private let options: DecoderOptions
    private var layers: Set<SandboxLayer> = []
    private var landlockVersion: UInt8 = 0

    /// Takes away what even loading the libraries does not need.
    ///
    /// - Throws: where the process is not as it must be at its start.
    init(beginning options: DecoderOptions) throws(SandboxError) {
        self.options = options
        clearenv()
        CSandboxShims_close_descriptors_from(Self.firstForeignDescriptor)
        if wants(.noNewPrivileges) {
            guard CSandboxShims_forbid_new_privileges() == 0 else { throw .refused(.noNewPrivileges) }
            layers.insert(.noNewPrivileges)
        }
        try checkSingleTask()
        if wants(.namespaces), CSandboxShims_enter_namespaces() == 0 { layers.insert(.namespaces) }
    }

    /// Takes away everything that decoding does not need, for good.
    ///
    /// - Throws: where a limit that every kernel has is refused.
    mutating func close() throws(SandboxError) -> SandboxReport {
        try checkSingleTask()
        limitMemory()
        if layers.contains(.namespaces), wants(.emptyFileSystem), CSandboxShims_empty_file_system() == 0 {
            layers.insert(.emptyFileSystem)
        }
        // Those of root, too, where there are no namespaces.
        if wants(.noNewPrivileges) || layers.contains(.namespaces) {
            guard CSandboxShims_drop_capabilities() == 0 else { throw .refused(.noNewPrivileges) }
        }
        if wants(.resourceLimits) {
            guard CSandboxShims_limit_resources(Self.descriptorCount) == 0 else { throw .refused(.resourceLimits) }
            layers.insert(.resourceLimits)
        }
        // From here on only this thread and those that it starts are bound, on kernels without a way to bind all.
        if wants(.landlock) {
            let version = CSandboxShims_restrict_with_landlock(Int32(options.newestLandlockVersion))
            if version > 0 {
                layers.insert(.landlock)
                landlockVersion = UInt8(clamping: version)
            }
        }
        if wants(.systemCallFilter), CSandboxShims_filter_system_calls() == 0 { layers.insert(.systemCallFilter) }
        return SandboxReport(layers: layers, landlockVersion: landlockVersion)
    }

    private mutating func limitMemory() {
        // The address sanitizer reserves terabytes of addresses, the thread sanitizer as well.
        guard wants(.memoryLimit), CSandboxShims_sanitizer() == 0 else { return }
        // What answers are written to is mapped later, and is none of the media's.
        let memoryLimit = options.memoryLimit + UInt64(PixelMemory.byteCount)
        if CSandboxShims_limit_address_space(memoryLimit) == 0 { layers.insert(.memoryLimit) }
    }

    private func wants(_ layer: SandboxLayer) -> Bool { !options.omittedLayers.contains(layer) }

    /// Namespaces are refused to a process with threads, and Landlock would bind one thread only.
    private func checkSingleTask() throws(SandboxError) {
        // The thread sanitizer has a thread of its own.
        guard CSandboxShims_sanitizer() != 2 else { return }
        let count = CSandboxShims_task_count()
        guard count == 1 || count < 0 else { throw .severalTasks }
    }

    /// Behind the standard streams and the socket to the host.
    private static let firstForeignDescriptor: Int32 = 4
    /// Far more than decoding needs: the file, the memory for answers, and copies of them.
    private static let descriptorCount: UInt32 = 64
}

/// Why a decoder does not even start.
enum SandboxError: Error {
    case refused(SandboxLayer)
    /// Something has started a thread too early.
    case severalTasks
}
