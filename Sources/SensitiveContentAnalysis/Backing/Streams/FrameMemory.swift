// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Glibc
internal import HelperProtocol

/// The memory of a frame: the app's own, allocated or mapped.
@safe
final class FrameMemory: PixelStorage, @unchecked Sendable {
    // @unchecked: the address is constant, and the app guarantees that the bytes do not change while they are read.

    let bytes: UnsafeMutableRawBufferPointer
    private let owner: (any Sendable)?
    private let origin: Origin

    private enum Origin {
        case borrowed
        case allocated
        /// Mapped memory, with the descriptor of a device's buffer whose caches are synchronised.
        case mapped(device: Int32?)
    }

    private init(_ bytes: UnsafeMutableRawBufferPointer, _ origin: Origin, keeping owner: (any Sendable)? = nil) {
        unsafe self.bytes = unsafe bytes
        self.origin = origin
        self.owner = owner
    }

    /// Borrows memory until the owner is released.
    convenience init(_ start: UnsafeMutableRawPointer, byteCount: Int, keeping owner: any Sendable) {
        unsafe self.init(UnsafeMutableRawBufferPointer(start: start, count: byteCount), .borrowed, keeping: owner)
    }

    /// Borrows the memory of a decoded frame, which nobody writes to.
    convenience init(_ memory: AnonymousMemory) {
        let bytes = unsafe memory.withBytes { unsafe UnsafeMutableRawBufferPointer(mutating: $0) }
        unsafe self.init(bytes, .borrowed, keeping: memory)
    }

    deinit {
        switch origin {
        case .borrowed: break
        case .allocated: unsafe free(bytes.baseAddress)
        case .mapped(let device):
            unsafe munmap(bytes.baseAddress, bytes.count)
            if let device { close(device) }
        }
    }

    var byteCount: Int { unsafe bytes.count }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        guard case .mapped(let device?) = origin else { return try unsafe body(UnsafeRawBufferPointer(bytes)) }
        Self.synchronise(device, Self.syncRead | Self.syncStart)
        defer { Self.synchronise(device, Self.syncRead | Self.syncEnd) }
        return try unsafe body(UnsafeRawBufferPointer(bytes))
    }

    /// Allocates memory filled with zeros.
    static func allocated(_ byteCount: Int) throws -> FrameMemory {
        guard let start = unsafe calloc(1, byteCount) else { throw lackOfMemory }
        return unsafe FrameMemory(UnsafeMutableRawBufferPointer(start: start, count: byteCount), .allocated)
    }

    /// Maps or copies the beginning of a file.
    static func ofFile(_ descriptor: Int32, byteCount: Int) throws -> FrameMemory {
        let seals = fcntl(descriptor, Self.getSeals)
        // The size is read after the seals, because another process may shrink the file before it seals it.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
        if seals >= 0, seals & Self.sealsOfConstantFile == Self.sealsOfConstantFile {
            guard Int(status.st_size) >= byteCount else { throw tooSmall }
            return try mapped(descriptor, byteCount, device: nil)
        }
        if status.st_mode & S_IFMT == S_IFREG {
            guard Int(status.st_size) >= byteCount, byteCount <= Self.mostCopiedBytes else { throw tooSmall }
            let memory = try allocated(byteCount)
            try memory.fill(from: descriptor)
            return memory
        }
        // A buffer of a device cannot shrink, and its size is the position of its end.
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= byteCount else { throw tooSmall }
        let device = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard device >= 0 else { throw unreadable(errno) }
        do {
            return try mapped(descriptor, byteCount, device: device)
        } catch {
            close(device)
            throw error
        }
    }

    private static func mapped(_ descriptor: Int32, _ byteCount: Int, device: Int32?) throws -> FrameMemory {
        guard let start = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0), unsafe start != MAP_FAILED
        else { throw unreadable(errno) }
        return unsafe FrameMemory(
            UnsafeMutableRawBufferPointer(start: start, count: byteCount), .mapped(device: device))
    }

    private func fill(from descriptor: Int32) throws {
        var position = 0
        while position < byteCount {
            let count = unsafe pread(descriptor, bytes.baseAddress! + position, byteCount - position, position)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(errno) }
            guard count > 0 else { throw Self.tooSmall }
            position += count
        }
    }

    /// Tells the driver of a buffer that reading begins or ends.
    ///
    /// Source: linux/dma-buf.h, DMA_BUF_IOCTL_SYNC.
    private static func synchronise(_ device: Int32, _ flags: UInt64) {
        var flags = flags
        while unsafe ioctl(device, 0x4008_6200, &flags) != 0, errno == EINTR || errno == EAGAIN {}
    }

    private static let syncRead: UInt64 = 1
    private static let syncStart: UInt64 = 0
    private static let syncEnd: UInt64 = 4
    /// F_GET_SEALS, and F_SEAL_SHRINK with F_SEAL_WRITE, of linux/fcntl.h.
    private static let getSeals: Int32 = 1034
    private static let sealsOfConstantFile: Int32 = 2 | 8
    private static let mostCopiedBytes = 2 << 30

    private static var lackOfMemory: SensitivityAnalysisError {
        SensitivityAnalysisError(.limitExceeded, message: "Memory ran out for a frame. Pass smaller frames.")
    }

    private static var tooSmall: SensitivityAnalysisError {
        SensitivityAnalysisError(.invalidArgument, message: "The planes of a frame lie outside its file.")
    }

    private static func unreadable(_ code: Int32) -> SensitivityAnalysisError {
        SensitivityAnalysisError(
            .inputUnreadable,
            message:
                "The memory of a frame cannot be read (error \(code) of the system). Pass a memory file or a buffer"
                + " of a device that can be mapped.")
    }
}
