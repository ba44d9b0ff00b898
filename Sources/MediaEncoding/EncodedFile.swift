// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol

/// An encoded file in the memory of the library that made it, which is freed with the object.
@safe
final class EncodedFile {
    private let memory: UnsafeRawBufferPointer
    private let free: (UnsafeMutableRawPointer) -> Void
    /// The bytes that stand behind the first two of the library's.
    private let mark: [UInt8]

    /// - Parameters:
    ///   - memory: the file.
    ///   - isMarked: whether a JPEG file gets the mark of JFIF, if it has none.
    ///   - free: frees the memory.
    init(
        _ memory: UnsafeMutableRawPointer, count: Int, isMarked: Bool = false,
        _ free: @escaping (UnsafeMutableRawPointer) -> Void
    ) {
        unsafe self.memory = UnsafeRawBufferPointer(start: memory, count: count)
        self.free = free
        let hasMark = unsafe self.memory.dropFirst(2).starts(with: [0xFF, 0xE0])
        mark = isMarked && !hasMark ? Self.mark : []
    }

    deinit {
        unsafe free(UnsafeMutableRawPointer(mutating: memory.baseAddress!))
    }

    var byteCount: Int { unsafe memory.count + mark.count }

    /// Writes the file to memory of its size.
    func write(to target: WritablePictureMemory) throws(TransportError) {
        let start = mark.isEmpty ? 0 : 2
        try unsafe target.write(UnsafeRawBufferPointer(rebasing: memory[..<start]), at: 0)
        do {
            try unsafe mark.withUnsafeBytes { unsafe try target.write($0, at: start) }
        } catch {
            throw error as? TransportError ?? .closed
        }
        try unsafe target.write(UnsafeRawBufferPointer(rebasing: memory[start...]), at: start + mark.count)
    }

    /// The mark of JFIF, which libvips leaves out with the metadata; programs that guess a format know a JPEG by it.
    ///
    /// Source: ITU-T T.871, section 10.1.
    private static let mark: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
}
