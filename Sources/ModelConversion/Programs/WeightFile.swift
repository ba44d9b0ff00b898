// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// The file of a package with the large constants of its program.
///
/// A constant has a record of 64 bytes, which says where its bytes are. Source: coremltools, the storage format of blobs,
/// https://github.com/apple/coremltools/blob/main/mlmodel/src/MILBlob/Blob/StorageFormat.hpp
struct WeightFile {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the bytes of a constant.
    ///
    /// - Parameters:
    ///   - offset: the place of the record.
    ///   - type: the type that the program states.
    ///   - bitCount: the number of bits of all numbers.
    func constant(at offset: UInt64, _ type: MILDataType, bitCount: Int) throws(ConversionFailure) -> ArraySlice<UInt8>
    {
        guard !bytes.isEmpty else { throw ConversionFailure("The file of the weights is missing", .completePackage) }
        guard !bytes.starts(with: Self.startOfPointer) else {
            throw ConversionFailure("The file of the weights is a pointer of Git LFS", .fetchFile)
        }
        guard integer(at: 4, UInt32.self) == Self.version else {
            throw ConversionFailure("The file of the weights has an unknown version", .exportAgain)
        }
        guard let place = Int(exactly: offset), integer(at: place, UInt32.self) == Self.sentinel,
            let kind = integer(at: place + 4, UInt32.self), let count = integer(at: place + 8, UInt64.self),
            let start = integer(at: place + 16, UInt64.self)
        else { throw ConversionFailure("The file of the weights lacks a constant of the program", .completePackage) }
        guard Self.types[kind] == type else {
            throw ConversionFailure(
                "The file of the weights has a constant of another type than the program", .exportAgain)
        }
        guard count == UInt64((bitCount + 7) / 8), start <= UInt64(bytes.count), count <= UInt64(bytes.count) - start
        else {
            throw ConversionFailure(
                "The file of the weights has a constant of another length than the program", .completePackage)
        }
        return bytes[Int(start)..<Int(start + count)]
    }

    /// Returns a number of the file in the order of little-endian machines; nil if the file ends before.
    private func integer<Number: FixedWidthInteger>(at place: Int, _ type: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard place >= 0, place <= bytes.count - size else { return nil }
        return (0..<size).reversed().reduce(Number(0)) { $0 << 8 | Number(truncatingIfNeeded: bytes[place + $1]) }
    }

    /// The start of the text that stands for a large file until Git LFS fetches it.
    static let startOfPointer = Array("version https://git-lfs".utf8)
    private static let version: UInt32 = 2
    private static let sentinel: UInt32 = 0xDEAD_BEEF
    private static let types: [UInt32: MILDataType] = [
        1: .float16, 2: .float32, 3: .uint8, 4: .int8, 6: .int16, 7: .uint16, 8: .int4, 9: .uint1, 10: .uint2,
        11: .uint4,
        12: .uint3, 13: .uint6, 14: .int32, 15: .uint32,
    ]
}
