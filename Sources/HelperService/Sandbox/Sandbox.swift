// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CSandboxShims
internal import Glibc
internal import HelperProtocol

/// The sandbox of this process, around the libraries that read hostile media.
///
/// The process starts it first, and closes it after loading, before the first byte of media. A layer that the kernel
/// lacks is left out and not reported. docs/sandbox.md describes the purpose of each layer.
struct Sandbox {
    private let options: HelperOptions
    private var layers: Set<SandboxLayer> = []
    private var landlockVersion: UInt8 = 0

    /// Removes all rights that even the loading of libraries does not need.
    ///
    /// - Parameter readsInputWhileLoading: whether a library gets input from strangers before the sandbox is closed.
    /// - Throws: `SandboxError` if the process has several tasks, or a step that every kernel allows is refused.
    init(beginning options: HelperOptions, readsInputWhileLoading: Bool = false) throws(SandboxError) {
        self.options = options
        // Libraries obey environment variables, and look for files in the current folder.
        guard clearenv() == 0, unsafe chdir("/") == 0 else { throw .refused(.noNewPrivileges) }
        CSandboxShims_close_descriptors_from(Self.firstForeignDescriptor)
        if wants(.noNewPrivileges) {
            guard CSandboxShims_forbid_new_privileges() == 0 else { throw .refused(.noNewPrivileges) }
            layers.insert(.noNewPrivileges)
        }
        try checkSingleTask()
        if wants(.namespaces), CSandboxShims_enter_namespaces() == 0 { layers.insert(.namespaces) }
        if readsInputWhileLoading { restrictLoading() }
    }

    /// Takes away all rights that no library needs while it loads a network: changes of files, programs, connections.
    ///
    /// Files can still be read. A restriction that the kernel lacks is left out, like the layers of `close`.
    private func restrictLoading() {
        if wants(.noNewPrivileges) || layers.contains(.namespaces) { _ = CSandboxShims_keep_capabilities_of_mounts() }
        let isReadOnly =
            layers.contains(.namespaces) && wants(.emptyFileSystem) && CSandboxShims_make_file_systems_read_only() == 0
        // Landlock refuses the later change of the root, so it takes the place of read-only mounts only.
        if !isReadOnly, wants(.landlock) {
            _ = CSandboxShims_restrict_with_landlock(Int32(options.newestLandlockVersion), 1)
        }
        if wants(.systemCallFilter) { _ = CSandboxShims_forbid_programs_and_connections(0) }
    }

    /// Removes all rights that the work does not need, for good.
    ///
    /// - Parameters:
    ///   - sockets: the connections to the host.
    ///   - hasThreads: whether the process has started all of its threads, which are then bound as well.
    ///   - largestFile: the size in bytes up to which the process may write memory that the host has made.
    /// - Throws: `SandboxError` if a limit that every kernel has is refused, or a thread cannot be bound.
    mutating func close(
        sockets: [Int32], hasThreads: Bool, largestFile: UInt64 = 0
    ) throws(SandboxError) -> SandboxReport {
        if hasThreads { try bindOtherThreads() } else { try checkSingleTask() }
        limitMemory()
        if layers.contains(.namespaces), wants(.emptyFileSystem), CSandboxShims_empty_file_system() == 0 {
            layers.insert(.emptyFileSystem)
        }
        // If the host runs as root and there are no namespaces, this drops root's capabilities.
        if wants(.noNewPrivileges) || layers.contains(.namespaces) {
            guard CSandboxShims_drop_capabilities() == 0 else { throw .refused(.noNewPrivileges) }
        }
        if wants(.resourceLimits) {
            let descriptorCount = Self.descriptorCount + UInt32(3 * sockets.count)
            let seconds = hasThreads ? Self.secondsOfModel : Self.secondsOfDecoder
            guard CSandboxShims_limit_resources(descriptorCount, seconds, largestFile) == 0 else {
                throw .refused(.resourceLimits)
            }
            layers.insert(.resourceLimits)
        }
        // On kernels that cannot bind all threads, the next steps bind only this thread and the threads that it starts.
        if wants(.landlock) {
            let version = CSandboxShims_restrict_with_landlock(Int32(options.newestLandlockVersion), 0)
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

    /// Drops the capabilities of all other threads and binds them with Landlock, because both are set for each thread.
    private func bindOtherThreads() throws(SandboxError) {
        let newest = wants(.landlock) ? Int32(options.newestLandlockVersion) : 0
        let dropsCapabilities = wants(.noNewPrivileges) || layers.contains(.namespaces)
        guard CSandboxShims_bind_other_threads(newest, dropsCapabilities ? 1 : 0) == 0 else { throw .freeThread }
    }

    private mutating func limitMemory() {
        // The pixel memory is mapped later, and must not count as memory of the media.
        if Self.limitMemory(options, adding: PixelMemory.byteCount) { layers.insert(.memoryLimit) }
    }

    /// Bounds the growth of the process to the limit in its options and some bytes, and returns whether this was done.
    static func limitMemory(_ options: HelperOptions, adding byteCount: Int) -> Bool {
        // The address sanitizer and the thread sanitizer reserve terabytes of addresses.
        guard !options.omittedLayers.contains(.memoryLimit), CSandboxShims_sanitizer() == 0 else { return false }
        return CSandboxShims_limit_address_space(options.memoryLimit + UInt64(clamping: byteCount)) == 0
    }

    private func wants(_ layer: SandboxLayer) -> Bool { !options.omittedLayers.contains(layer) }

    /// Throws if the process has several threads: the kernel refuses namespaces to it, and Landlock binds one thread.
    private func checkSingleTask() throws(SandboxError) {
        // The thread sanitizer has a thread of its own.
        guard CSandboxShims_sanitizer() != 2 else { return }
        let count = CSandboxShims_task_count()
        guard count == 1 || count < 0 else { throw .severalTasks }
    }

    /// The first descriptor after the standard streams and the socket to the host.
    private static let firstForeignDescriptor: Int32 = 4
    /// The limit of descriptors, far more than decoding needs: the file, the memory for replies, and copies of both.
    private static let descriptorCount: UInt32 = 64
    /// The processor time of a decoder that was taken over and outlives its host; each reply has a limit of its own.
    private static let secondsOfDecoder: UInt64 = 8 * 60 * 60
    /// The processor time of the model's process, which works on all cores for as long as there is work.
    private static let secondsOfModel: UInt64 = 30 * 24 * 60 * 60
}

/// The reason for which a helper does not start.
enum SandboxError: Error {
    case refused(SandboxLayer)
    /// The process has several tasks before it may start threads.
    case severalTasks
    /// A thread of the process could not be put under the sandbox.
    case freeThread
}
