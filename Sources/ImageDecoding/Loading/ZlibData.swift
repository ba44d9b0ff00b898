// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Data in the format of zlib, within pictures.
enum ZlibData {
    /// Returns the unpacked bytes; nil if the data are damaged or larger than the bound.
    static func unpacked(_ packed: ArraySlice<UInt8>, mostBytes: Int) -> [UInt8]? {
        guard !packed.isEmpty, mostBytes > 0 else { return nil }
        var isWhole = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: mostBytes) { target, count in
            var size = uLongf(mostBytes)
            isWhole = unsafe packed.withUnsafeBufferPointer {
                unsafe uncompress(target.baseAddress!, &size, $0.baseAddress!, uLong($0.count)) == Z_OK
            }
            count = isWhole ? Int(size) : 0
        }
        return isWhole ? bytes : nil
    }
}
