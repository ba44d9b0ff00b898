// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Memory that holds pixels: an array, or shared memory that a decoder process has filled.
package protocol PixelStorage: AnyObject, Sendable {
    /// The number of bytes that are readable.
    var byteCount: Int { get }

    /// Calls the closure with all bytes; they must not be used after it returns.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

/// Pixel memory on the heap.
package final class ArrayPixelStorage: PixelStorage {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var byteCount: Int { bytes.count }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes(body)
    }
}
