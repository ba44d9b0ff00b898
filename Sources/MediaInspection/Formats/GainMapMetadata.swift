// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Tells whether a gain map leaves a picture as it is on an ordinary display.
///
/// A gain map makes a picture brighter in parts. Browsers apply it by the brightness that a display can add, its headroom,
/// which is 0 for an ordinary display. Sources: ISO 21496-1; Adobe, "Gain Map", version 1.0.
package enum GainMapMetadata {
    /// Whether metadata in the form of ISO 21496-1 say that the picture itself is for a headroom of 0, and the other for more.
    ///
    /// - Parameter bytes: the metadata, from the version that a reader has to know on.
    package static func isOrdinary(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 17, bytes[0] == 0, bytes[1] == 0, bytes[4] & reversedDirection == 0 else { return false }
        let hasOneDivisor = bytes[4] & oneDivisor != 0
        let own: UInt32? = bytes.bigEndian(at: hasOneDivisor ? 9 : 5)
        let other: UInt32? = bytes.bigEndian(at: 13)
        return own == 0 && other ?? 0 > 0
    }

    /// Whether the same holds for a segment of a JPEG file, also where it says nothing of gain maps.
    ///
    /// - Parameter content: the content of a segment for applications.
    package static func isOrdinary(segment content: [UInt8]) -> Bool {
        if content.starts(with: isoName) {
            // In the picture itself only the version is said.
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

    /// The values of a property, which is an attribute or an element.
    private static func values(of name: StaticString, in bytes: [UInt8]) -> [String] {
        let (around, ends) = (Set("=\"'> \t\r\n".utf8), Set("\"'<> \t\r\n".utf8))
        var values: [String] = []
        let first = unsafe name.utf8Start.pointee
        for place in bytes.indices where bytes[place] == first && bytes.hasText(name, at: place) {
            let rest = bytes[(place + name.utf8CodeUnitCount)...].drop { around.contains($0) }
            // The end of an element has the name as well, and no value behind it.
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
