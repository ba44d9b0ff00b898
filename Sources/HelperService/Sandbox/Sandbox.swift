// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CSandboxShims
internal import Glibc
internal import HelperProtocol

/// Closes the process in which it lives around the libraries that will read hostile media.
///
/// It is made first of all, and closed when everything is loaded and before the first byte of input. A layer that the
/// kernel lacks is left out and not reported; docs/sandbox.md says what each of them is for.
struct Sandbox {
    private let options: HelperOptions
    private var layers: Set<SandboxLayer> = []
    private var landlockVersion: UInt8 = 0

    /// Takes away what even loading the libraries does not need.
    ///
    /// - Throws: where the process is not as it must be at its start.
    init(beginning options: HelperOptions) throws(SandboxError) {
        self.options = options
        // Libraries obey variables of the environment, and look for files in the current folder.
        guard clearenv() == 0, unsafe chdir("/") == 0 else { throw .refused(.noNewPrivileges) }
        CSandboxShims_close_descriptors_from(Self.firstForeignDescriptor)
        if wants(.noNewPrivileges) {
            guard CSandboxShims_forbid_new_privileges() == 0 else { throw .refused(.noNewPrivileges) }
            layers.insert(.noNewPrivileges)
        }
        try checkSingleTask()
        if wants(.namespaces), CSandboxShims_enter_namespaces() == 0 { layers.insert(.namespaces) }
    }

    /// Takes away everything that the work does not need, for good.
    ///
    /// - Parameters:
    ///   - sockets: the connections to the host.
    ///   - hasThreads: whether the process has started all of its threads, which are then bound as well.
    /// - Throws: where a limit that every kernel has is refused, or a thread cannot be bound.
    mutating func close(sockets: [Int32], hasThreads: Bool) throws(SandboxError) -> SandboxReport {
        if hasThreads { try bindOtherThreads() } else { try checkSingleTask() }
        limitMemory()
        if layers.contains(.namespaces), wants(.emptyFileSystem), CSandboxShims_empty_file_system() == 0 {
            layers.insert(.emptyFileSystem)
        }
        // Those of root, too, where there are no namespaces.
        if wants(.noNewPrivileges) || layers.contains(.namespaces) {
            guard CSandboxShims_drop_capabilities() == 0 else { throw .refused(.noNewPrivileges) }
        }
        if wants(.resourceLimits) {
            let descriptorCount = Self.descriptorCount + UInt32(3 * sockets.count)
            let seconds = hasThreads ? Self.secondsOfModel : Self.secondsOfDecoder
            guard CSandboxShims_limit_resources(descriptorCount, seconds) == 0 else { throw .refused(.resourceLimits) }
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
        if wants(.systemCallFilter), filterSystemCalls(sockets, hasThreads) { layers.insert(.systemCallFilter) }
        return SandboxReport(layers: layers, landlockVersion: landlockVersion)
    }

    private func filterSystemCalls(_ sockets: [Int32], _ hasThreads: Bool) -> Bool {
        unsafe sockets.withUnsafeBufferPointer {
            unsafe CSandboxShims_filter_system_calls($0.baseAddress, Int32($0.count), hasThreads ? 1 : 0)
        } == 0
    }

    /// Capabilities and Landlock's rights belong to threads.
    private func bindOtherThreads() throws(SandboxError) {
        let newest = wants(.landlock) ? Int32(options.newestLandlockVersion) : 0
        let dropsCapabilities = wants(.noNewPrivileges) || layers.contains(.namespaces)
        guard CSandboxShims_bind_other_threads(newest, dropsCapabilities ? 1 : 0) == 0 else { throw .freeThread }
    }

    private mutating func limitMemory() {
        // The address sanitizer reserves terabytes of addresses, the thread sanitizer as well.
        guard wants(.memoryLimit), CSandboxShims_sanitizer() == 0 else { return }
        // The memory for answers is mapped later, and is none of the media's.
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
    /// The processor time of a helper that was taken over and outlives its host; an answer's is set for each.
    private static let secondsOfDecoder: UInt64 = 8 * 60 * 60
    /// The model's process works for all cores, and for as long as there is work.
    private static let secondsOfModel: UInt64 = 30 * 24 * 60 * 60
}

/// Why a helper does not even start.
enum SandboxError: Error {
    case refused(SandboxLayer)
    /// Something has started a thread too early.
    case severalTasks
    /// A thread could not be bound.
    case freeThread
}
