// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CZlib

/// The pieces (strips or tiles) of one picture in a TIFF file if they are compressed with zlib.
///
/// If a piece is longer than its pixels or has a wrong checksum, programs show all of it, a part or nothing. The result
/// of libtiff depends on the library that it was built with.
///
/// Source: TIFF specification supplement 2, "Deflate"; RFC 1950.
struct TIFFDeflate {
    /// The positions of the pieces in the file, and their lengths, in bytes.
    var offsets: [Int] = []
    var lengths: [Int] = []

    /// Returns whether each piece is a whole zlib stream with no more bytes than its pixels.
    ///
    /// - Parameter sizes: returns the number of bytes of a piece's pixels, by the index of the piece.
    /// - Throws: `unreadable`, `outOfMemory`.
    func areWhole(in file: InputFile, sizes: (Int) -> Int) throws(DecodingFailure) -> Bool {
        for (index, (offset, length)) in zip(offsets, lengths).enumerated() {
            guard try Self.isWhole(file, offset, length, most: sizes(index)) else { return false }
        }
        return true
    }

    private static func isWhole(
        _ file: InputFile, _ offset: Int, _ length: Int, most: Int
    ) throws(DecodingFailure) -> Bool {
        var stream = unsafe z_stream()
        guard unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw DecodingFailure(.outOfMemory, format: .tiff)
        }
        defer { unsafe _ = inflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: partSize)
        var (position, end, count) = (offset, offset &+ length, 0)
        guard offset >= 0, length >= 0, end >= offset else { return false }
        end = min(end, file.byteCount)
        while position < end {
            var input = try file.bytes(at: position, count: min(partSize, end - position))
            guard !input.isEmpty else { return false }
            position += input.count
            let status = unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe output.withUnsafeMutableBufferPointer { output in
                    unsafe stream.next_in = input.baseAddress
                    unsafe stream.avail_in = UInt32(input.count)
                    var status = Z_OK
                    repeat {
                        unsafe stream.next_out = output.baseAddress
                        unsafe stream.avail_out = UInt32(output.count)
                        status = unsafe inflate(&stream, Z_NO_FLUSH)
                        unsafe count += output.count - Int(stream.avail_out)
                    } while unsafe status == Z_OK && stream.avail_out == 0 && count <= most
                    return status
                }
            }
            if status == Z_STREAM_END { return count <= most }
            // Z_BUF_ERROR means that zlib needs more input.
            guard status == Z_OK || status == Z_BUF_ERROR, count <= most else { return false }
        }
        return false
    }

    private static let partSize = 64 << 10
}
