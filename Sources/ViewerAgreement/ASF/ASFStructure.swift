// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Checks that an ASF file (WMV, WMA) has one reading: one header, one object of data, and indexes.
///
/// An index names packets by their number, and every packet has the same size. So no index leads to other bytes.
///
/// Source: Microsoft, "Advanced Systems Format (ASF) Specification", revision 01.20.06.
package struct ASFStructure {
    /// Whether programs may read the file differently.
    package private(set) var hasDisagreement = true
    /// Whether all streams are sound; false for files that programs may read differently.
    package private(set) var hasSoundOnly = false
    /// The number of pictures in the attributes of the file.
    package private(set) var coverCount = 0

    /// - Throws: `unreadable`.
    package init(_ file: InputFile) throws(DecodingFailure) {
        guard let head = try Self.object(file, at: 0), head.kind == .header,
            head.content.upperBound <= min(file.byteCount, Self.mostHeaderBytes),
            let header = ASFHeader(try file.bytes(at: 0, count: head.content.upperBound)),
            let data = try Self.object(file, at: head.content.upperBound), data.kind == .data
        else { return }
        coverCount = header.coverCount
        guard try Self.arePlain(data.content, header, in: file) else { return }
        var position = data.content.upperBound
        while position < file.byteCount {
            guard let object = try Self.object(file, at: position), let kind = object.kind,
                ASFObject.Kind.indexes.contains(kind)
            else { return }
            position = object.content.upperBound
        }
        (hasDisagreement, hasSoundOnly) = (false, header.hasSoundOnly)
    }

    private static func object(_ file: InputFile, at position: Int) throws(DecodingFailure) -> ASFObject? {
        ASFObject(try file.bytes(at: position, count: ASFObject.headSize), at: 0, offset: position)
    }

    /// Whether the packets fill the object of data, up to the end of the file if that cuts it off.
    private static func arePlain(
        _ content: Range<Int>, _ header: ASFHeader, in file: InputFile
    ) throws(DecodingFailure) -> Bool {
        guard content.count >= dataHeadSize, (content.count - dataHeadSize) % header.packetSize == 0 else {
            return false
        }
        var packets = ASFPackets(of: header.streams)
        var position = content.lowerBound + dataHeadSize
        while position + header.packetSize <= min(content.upperBound, file.byteCount) {
            guard packets.add(try file.bytes(at: position, count: header.packetSize)) else { return false }
            position += header.packetSize
        }
        return true
    }

    /// The identifier of the file, the number of packets and a reserved number.
    private static let dataHeadSize = 26
    private static let mostHeaderBytes = 16 << 20
}
