// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The header of an ASF file, in which each object has its place and its quantity.
///
/// Source: Microsoft, "Advanced Systems Format (ASF) Specification", revision 01.20.06, chapters 3 and 4.
struct ASFHeader {
    private typealias Kind = ASFObject.Kind

    /// The size of every packet of data, in bytes.
    private(set) var packetSize = 0
    /// The numbers of the streams.
    private(set) var streams: Set<UInt8> = []
    private(set) var hasSoundOnly = true
    /// The number of attributes that hold a picture.
    let coverCount: Int
    private let bytes: [UInt8]
    private var found: Set<ASFObject.Kind> = []

    /// - Parameter bytes: the header from its identifier on.
    /// - Returns: nil if programs may read the header differently.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        coverCount = Self.count(of: Array("WM/Picture".utf8).flatMap { [$0, 0] }, in: bytes)
        guard bytes.count >= Self.headSize, let count: UInt32 = bytes.littleEndian(at: ASFObject.headSize),
            bytes[28] == 1, bytes[29] == 2,
            readObjects(Self.headSize..<bytes.count, allowed: Kind.inHeader) == Int(count), packetSize > 0,
            !streams.isEmpty
        else { return nil }
    }

    /// Reads objects that fill a range, and returns their number; nil if they do not fit.
    private mutating func readObjects(_ range: Range<Int>, allowed: Set<ASFObject.Kind>) -> Int? {
        var (place, count) = (range.lowerBound, 0)
        while place < range.upperBound {
            guard let object = ASFObject(bytes, at: place), object.content.upperBound <= range.upperBound,
                let kind = object.kind, allowed.contains(kind),
                found.insert(kind).inserted || Kind.repeatable.contains(kind), read(kind, object.content)
            else { return nil }
            place = object.content.upperBound
            count += 1
        }
        return count
    }

    private mutating func read(_ kind: ASFObject.Kind, _ content: Range<Int>) -> Bool {
        switch kind {
        case .fileProperties: readFile(content)
        case .streamProperties: readStream(content)
        case .headerExtension: readExtension(content)
        case .extendedStreamProperties: readExtendedStream(content)
        default: true
        }
    }

    private mutating func readFile(_ content: Range<Int>) -> Bool {
        guard content.count >= 80 else { return false }
        let (flags, least, most) = (number(content, 64), number(content, 68), number(content, 72))
        // A stream that is recorded while it is sent has no sizes yet.
        guard flags & 1 == 0, least == most, (Self.leastPacketSize...Self.mostPacketSize).contains(least) else {
            return false
        }
        packetSize = least
        return true
    }

    private mutating func readStream(_ content: Range<Int>) -> Bool {
        guard content.count >= 54 else { return false }
        let kind = ASFObject.identifier(bytes, at: content.lowerBound)
        let flags = bytes[content.lowerBound + 48]
        let isEncrypted = bytes[content.lowerBound + 49] & 0x80 != 0
        guard !isEncrypted, flags < 0x80, flags > 0, streams.insert(flags).inserted else { return false }
        if kind == Self.sound { return true }
        hasSoundOnly = false
        // The size stands twice: for the window, and for the decoder.
        let format = content.dropFirst(54)
        guard kind == Self.pictures, format.count >= 51 else { return false }
        // The parameters of the decoder end where three sizes say.
        let size = number(format, 11)
        guard size >= 40, size == shortNumber(format, 9), number(content, 40) == 11 + size, 11 + size <= format.count
        else { return false }
        return number(format, 0) == number(format, 15) && number(format, 4) == number(format, 19)
    }

    private mutating func readExtension(_ content: Range<Int>) -> Bool {
        guard content.count >= 22, number(content, 18) == content.count - 22 else { return false }
        return readObjects(content.dropFirst(22), allowed: Kind.inExtension) != nil
    }

    /// Reads the further properties of a stream, at whose end the properties may stand that belong to the header.
    private mutating func readExtendedStream(_ content: Range<Int>) -> Bool {
        guard content.count >= 64 else { return false }
        let (names, systems) = (shortNumber(content, 60), shortNumber(content, 62))
        var place = 64
        for _ in 0..<names {
            guard place + 4 <= content.count else { return false }
            place += 4 + shortNumber(content, place + 2)
        }
        for _ in 0..<systems {
            guard place + 22 <= content.count else { return false }
            place += 22 + number(content, place + 18)
        }
        guard place <= content.count else { return false }
        return readObjects(content.dropFirst(place), allowed: [.streamProperties]) != nil
    }

    private func number(_ content: Range<Int>, _ place: Int) -> Int {
        Int(bytes.littleEndian(at: content.lowerBound + place, as: UInt32.self) ?? 0)
    }

    private func shortNumber(_ content: Range<Int>, _ place: Int) -> Int {
        Int(bytes.littleEndian(at: content.lowerBound + place, as: UInt16.self) ?? 0)
    }

    private static func count(of name: [UInt8], in bytes: [UInt8]) -> Int {
        guard bytes.count >= name.count else { return 0 }
        return (0...(bytes.count - name.count)).count { bytes[$0] == name[0] && bytes[$0...].starts(with: name) }
    }

    static let headSize = 30
    private static let pictures = "BC19EFC0-5B4D-11CF-A8FD-00805F5C442B"
    private static let sound = "F8699E40-5B4D-11CF-A8FD-00805F5C442B"
    private static let (leastPacketSize, mostPacketSize) = (100, 1 << 20)
}
