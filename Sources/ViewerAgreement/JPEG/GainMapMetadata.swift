// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Checks whether a gain map leaves a picture unchanged on an ordinary display.
///
/// A gain map makes parts of a picture brighter. Browsers apply it by the headroom, the brightness that a display can
/// add, which is 0 for an ordinary display. Sources: ISO 21496-1; Adobe, "Gain Map", version 1.0.
package enum GainMapMetadata {
    /// Returns whether ISO 21496-1 metadata give the picture itself a headroom of 0 and the other picture more.
    /// - Parameter bytes: the metadata, starting with the version that a reader must support.
    package static func isOrdinary(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 17, bytes[0] == 0, bytes[1] == 0, bytes[4] & reversedDirection == 0 else { return false }
        let hasOneDivisor = bytes[4] & oneDivisor != 0
        let own: UInt32? = bytes.bigEndian(at: hasOneDivisor ? 9 : 5)
        let other: UInt32? = bytes.bigEndian(at: 13)
        return own == 0 && other ?? 0 > 0
    }

    /// Returns whether gain map metadata in a JPEG segment leave the picture unchanged; true for other segments.
    ///
    /// - Parameter content: the content of an application segment.
    package static func isOrdinary(segment content: [UInt8]) -> Bool {
        if content.starts(with: isoName) {
            // The segment of the picture itself has only the version.
            return content.count <= isoName.count + 4 || isOrdinary(Array(content[isoName.count...]))
        }
        guard content.starts(with: xmpName) else { return true }
        guard values(of: "BaseRenditionIsHDR", in: content).allSatisfy({ $0 == "False" }) else { return false }
        let (least, most) = (values(of: "HDRCapacityMin", in: content), values(of: "HDRCapacityMax", in: content))
        guard !least.isEmpty || !most.isEmpty else { return true }
        let highest = least.map { Double($0) ?? -1 }
        return highest.allSatisfy { $0 >= 0 } && !most.isEmpty
            && most.allSatisfy { Double($0) ?? 0 > (highest.max() ?? 0) }
    }

    /// Returns the values of an XMP property, which is written as an XML attribute or element.
    private static func values(of name: StaticString, in bytes: [UInt8]) -> [String] {
        let (around, ends) = (Set("=\"'> \t\r\n".utf8), Set("\"'<> \t\r\n".utf8))
        var values: [String] = []
        let first = unsafe name.utf8Start.pointee
        for place in bytes.indices where bytes[place] == first && bytes.hasText(name, at: place) {
            let rest = bytes[(place + name.utf8CodeUnitCount)...].drop { around.contains($0) }
            // The end tag of an element has the name as well, but no value after it.
            let value = rest.prefix { !ends.contains($0) }
            if !value.isEmpty { values.append(String(decoding: value, as: UTF8.self)) }
        }
        return values
    }

    private static let isoName = Array("urn:iso:std:iso:ts:21496:-1\u{0}".utf8)
    private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\u{0}".utf8)
    private static let reversedDirection: UInt8 = 4
    private static let oneDivisor: UInt8 = 8
}
