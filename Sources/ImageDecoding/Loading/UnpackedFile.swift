// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CJxlShims
internal import FileAccess
internal import Glibc
internal import HelperProtocol
internal import ViewerAgreement

/// Memory of the process that a picture within another file is unpacked into, so that it can be read like a file.
///
/// The sandbox forbids new files in memory, so it is made before. It holds one picture at a time.
final class UnpackedFile: Sendable {
    private let descriptor: OwnedDescriptor

    /// Makes the memory, of which only the used part takes room.
    ///
    /// - Throws: `outOfMemory`.
    init() throws(DecodingFailure) {
        do {
            descriptor = try SealedMemory.room()
        } catch {
            throw DecodingFailure(.outOfMemory)
        }
        guard ftruncate(descriptor.number, Self.mostBytes) == 0 else { throw DecodingFailure(.outOfMemory) }
    }

    /// Restores the JPEG file that a JPEG XL file was made of.
    ///
    /// - Throws: `ambiguousRendering` if no JPEG fits the picture, `outOfMemory`, `unreadable`, `libraryLimit`.
    func restore(from file: InputFile) throws(DecodingFailure) -> InputFile {
        let bytes = try file.bytes(at: 0, count: file.byteCount)
        var jpeg: [UInt8] = []
        let status = unsafe withUnsafeMutablePointer(to: &jpeg) { target in
            unsafe CJxlShims_restore_jpeg(
                bytes, bytes.count, Self.mostBytes,
                { context, bytes, count in
                    unsafe context!.assumingMemoryBound(to: [UInt8].self).pointee = Array(
                        UnsafeBufferPointer(start: bytes, count: count))
                }, target)
        }
        switch Int(status) {
        case CJxlShims_found: break
        case CJxlShims_more:
            throw DecodingFailure(.libraryLimit, format: .jpegXL, detail: "the restored JPEG is larger")
        case CJxlShims_malformed: throw DecodingFailure(.dataOfJPEG, .jpegXL)
        default: throw DecodingFailure(.outOfMemory, format: .jpegXL)
        }
        // Behind a JPEG without an end, decoders would read what is left of an earlier file.
        guard jpeg.count >= 4, jpeg.suffix(2) == [0xFF, 0xD9] else { throw DecodingFailure(.dataOfJPEG, .jpegXL) }
        return try hold(jpeg)
    }

    /// Returns the bytes as a file, in place of the one before.
    ///
    /// - Throws: `outOfMemory`.
    func hold(_ bytes: [UInt8]) throws(DecodingFailure) -> InputFile {
        guard !bytes.isEmpty, bytes.count <= Self.mostBytes else {
            return try InputFile(descriptor).part(0..<0)
        }
        // The sandbox allows no writing call to a file, so the memory is mapped.
        let protection = PROT_READ | PROT_WRITE
        guard let target = unsafe mmap(nil, bytes.count, protection, MAP_SHARED, descriptor.number, 0),
            unsafe target != MAP_FAILED
        else { throw DecodingFailure(.outOfMemory) }
        unsafe UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyBytes(from: bytes)
        unsafe munmap(target, bytes.count)
        return try InputFile(descriptor).part(0..<bytes.count)
    }

    /// The most bytes of a JPEG, as many as a picture file may have.
    private static let mostBytes = 256 << 20
}
