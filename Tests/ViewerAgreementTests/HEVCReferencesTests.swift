// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ViewerAgreement

@Suite("Frames of HEVC that depend on others before a clean random access picture")
struct HEVCReferencesTests {
    /// Writes numbers as bits, the highest bit first.
    private struct Bits {
        private(set) var bits: [UInt8] = []

        mutating func number(_ value: Int, _ count: Int) {
            bits += (0..<count).reversed().map { UInt8(value >> $0 & 1) }
        }

        mutating func universal(_ values: Int...) {
            for value in values {
                let size = Int.bitWidth - (value + 1).leadingZeroBitCount
                number(0, size - 1)
                number(value + 1, size)
            }
        }

        /// The bytes, with the stop bit that ends a unit.
        var bytes: [UInt8] {
            let ended = bits + [1]
            let padded = ended + [UInt8](repeating: 0, count: (8 - ended.count % 8) % 8)
            return stride(from: 0, to: padded.count, by: 8).map { padded[$0..<($0 + 8)].reduce(0) { $0 << 1 | $1 } }
        }
    }

    private static func unit(_ kind: UInt8, _ payload: [UInt8], layer: UInt8 = 1) -> [UInt8] {
        var escaped: [UInt8] = []
        for byte in payload {
            if escaped.suffix(2) == [0, 0], byte < 4 { escaped.append(3) }
            escaped.append(byte)
        }
        return [kind << 1, layer] + escaped
    }

    /// A sequence parameter set: frame numbers have eight bits, and it defines no reference picture set.
    private static func sequence(hasLongTermFrames: Bool = false) -> [UInt8] {
        var bits = Bits()
        bits.number(0, 8)
        for _ in 0..<3 { bits.number(0x0110_0000, 32) }
        bits.universal(0, 1, 64, 64)
        bits.number(0, 1)
        bits.universal(0, 0, 4)
        bits.number(1, 1)
        bits.universal(4, 0, 0, 0, 3, 0, 3, 0, 0)
        // The flags of scaling lists, asymmetric partitions, sample adaptive offset and uncompressed samples are off.
        bits.number(0, 4)
        bits.universal(0)
        bits.number(hasLongTermFrames ? 1 : 0, 1)
        if hasLongTermFrames { bits.universal(0) }
        bits.number(0, 2)
        return unit(33, bits.bytes)
    }

    private static var picture: [UInt8] {
        var bits = Bits()
        bits.universal(0, 0)
        bits.number(0, 8)
        return unit(34, bits.bytes)
    }

    /// The first slice of a frame, with the numbers of the earlier frames that it keeps for reference.
    private static func slice(
        _ kind: UInt8, _ number: Int, keeping kept: [Int] = [], layer: UInt8 = 1, longTerm: Int? = nil
    ) -> [UInt8] {
        var bits = Bits()
        bits.number(1, 1)
        if kind >= 16 { bits.number(0, 1) }
        bits.universal(0, 1)
        if kind != 19, kind != 20 {
            bits.number(number & 255, 8)
            bits.number(0, 1)
            let before = kept.filter { $0 < number }.sorted(by: >)
            let behind = kept.filter { $0 > number }.sorted()
            bits.universal(before.count, behind.count)
            for (place, other) in before.enumerated() {
                bits.universal((place == 0 ? number : before[place - 1]) - other - 1)
                bits.number(1, 1)
            }
            for (place, other) in behind.enumerated() {
                bits.universal(other - (place == 0 ? number : behind[place - 1]) - 1)
                bits.number(1, 1)
            }
            if let longTerm { bits.universal(longTerm) }
        }
        bits.number(0xAAAA, 16)
        return unit(kind, bits.bytes, layer: layer)
    }

    private static func haveDisagreement(_ slices: [[UInt8]], hasLongTermFrames: Bool = false) -> Bool {
        let parameters: [UInt8] = [0, 0, 1] + sequence(hasLongTermFrames: hasLongTermFrames) + [0, 0, 1] + picture
        var references = HEVCReferences(extraData: parameters)
        let units = CodedUnits(.hevc, extraData: parameters)
        for slice in slices { references.add(units.split([0, 0, 1] + slice)) }
        return references.haveDisagreement
    }

    private static let (trailing, skippedLeading, leading, idr, clean, broken):
        (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) =
            (1, 9, 7, 19, 21, 16)
    /// An open group of pictures, and the clean random access picture that ends it.
    private static let start = [
        slice(idr, 0), slice(trailing, 4, keeping: [0]), slice(trailing, 2, keeping: [0, 4]),
        slice(clean, 8, keeping: [4]),
    ]

    @Test("Open groups are not doubtful if only frames that are shown before their ends reach over them")
    func openGroups() {
        #expect(
            !Self.haveDisagreement(
                Self.start + [
                    Self.slice(Self.skippedLeading, 6, keeping: [4, 8]), Self.slice(Self.leading, 7, keeping: [8]),
                    Self.slice(Self.trailing, 12, keeping: [8]), Self.slice(Self.trailing, 10, keeping: [8, 12]),
                ]))
        // The frame numbers have eight bits, and wrap around.
        let many = (1..<600).map { Self.slice(Self.trailing, 8 + 4 * $0, keeping: [4 + 4 * $0]) }
        #expect(!Self.haveDisagreement(Self.start + many))
    }

    @Test(
        "A frame that keeps an earlier frame is doubtful, whether the random access picture names it or not",
        arguments: [[4], [0], [8, 4]])
    func earlier(kept: [Int]) {
        #expect(Self.haveDisagreement(Self.start + [Self.slice(Self.trailing, 12, keeping: kept)]))
        #expect(
            Self.haveDisagreement(
                Self.start + [
                    Self.slice(Self.trailing, 12, keeping: [8]), Self.slice(Self.trailing, 14, keeping: kept),
                ]))
        // The frame claims to be a skippable leading frame, but is shown after the random access picture.
        #expect(Self.haveDisagreement(Self.start + [Self.slice(Self.skippedLeading, 12, keeping: kept)]))
        #expect(Self.haveDisagreement(Self.start + [Self.slice(Self.leading, 6, keeping: kept)]))
    }

    @Test func `A frame that keeps an earlier frame which is shown later is doubtful`() {
        let frames = [
            Self.slice(Self.idr, 0), Self.slice(Self.trailing, 20, keeping: [0]),
            Self.slice(Self.clean, 8, keeping: [20]),
        ]
        #expect(Self.haveDisagreement(frames + [Self.slice(Self.trailing, 12, keeping: [8, 20])]))
        #expect(!Self.haveDisagreement(frames + [Self.slice(Self.trailing, 12, keeping: [8])]))
    }

    @Test("A frame that keeps a skipped frame is doubtful")
    func skipped() {
        #expect(
            Self.haveDisagreement(
                Self.start + [
                    Self.slice(Self.skippedLeading, 6, keeping: [4, 8]),
                    Self.slice(Self.trailing, 12, keeping: [6, 8]),
                ]))
    }

    @Test(
        "No frame is doubtful behind a picture at which a decoder forgets all others",
        arguments: [19, 20, 16, 17, 18] as [UInt8])
    func otherAccess(kind: UInt8) {
        #expect(!Self.haveDisagreement([Self.slice(kind, 0), Self.slice(Self.trailing, 4, keeping: [-4])]))
        #expect(
            !Self.haveDisagreement(Self.start + [Self.slice(kind, 0), Self.slice(Self.trailing, 4, keeping: [-4])]))
    }

    @Test("A frame that keeps a frame that all frames between have kept is doubtful, however many there are")
    func keptLong() {
        let kept = [200, 201]
        let long = (1..<90).map { Self.slice(Self.trailing, 4 + $0, keeping: [3 + $0] + kept) }
        let frames =
            [
                Self.slice(Self.idr, 0), Self.slice(Self.trailing, 200, keeping: [0]),
                Self.slice(Self.trailing, 201, keeping: [200]),
            ]
            + [Self.slice(Self.trailing, 4, keeping: kept)] + long + [Self.slice(Self.clean, 100, keeping: kept)]
        #expect(!Self.haveDisagreement(frames + [Self.slice(Self.trailing, 101, keeping: [100])]))
        #expect(Self.haveDisagreement(frames + [Self.slice(Self.trailing, 101, keeping: [100, 201])]))
    }

    @Test("A frame with the number of an earlier frame that could be kept in its place is doubtful")
    func sameNumber() {
        #expect(Self.haveDisagreement(Self.start + [Self.slice(Self.trailing, 4, keeping: [8])]))
        // Frame numbers begin anew at the IDR picture, so no earlier frame has the number 4.
        let frames = [Self.slice(Self.idr, 0), Self.slice(Self.clean, 1), Self.slice(Self.trailing, 4, keeping: [1])]
        #expect(!Self.haveDisagreement(Self.start + frames))
    }

    @Test("An HEVC packet with several pictures, or with parameters behind a slice, is doubtful")
    func severalPictures() {
        let (frame, next) = (Self.slice(Self.trailing, 12, keeping: [8]), Self.slice(Self.trailing, 13, keeping: [8]))
        // A further slice of the same frame: only the flag of the first slice differs.
        let further = frame[..<2] + [frame[2] & 0x7F] + frame[3...]
        func packet(_ units: [UInt8]...) -> [UInt8] { Array(units.joined(separator: [0, 0, 1])) }
        #expect(!Self.haveDisagreement(Self.start + [packet(frame, Array(further))]))
        #expect(!Self.haveDisagreement(Self.start + [packet(Self.picture, frame)]))
        #expect(!Self.haveDisagreement(Self.start + [packet(frame, [80, 1, 5])]))
        #expect(Self.haveDisagreement(Self.start + [packet(frame, next)]))
        #expect(Self.haveDisagreement(Self.start + [packet(Self.slice(Self.skippedLeading, 6, keeping: [4]), next)]))
        #expect(Self.haveDisagreement(Self.start + [packet(frame, Self.picture)]))
        #expect(Self.haveDisagreement([packet([Self.idr << 1, 1, 0x40], Self.slice(Self.trailing, 4, keeping: [-4]))]))
    }

    @Test("A frame whose references cannot be read is doubtful")
    func notRead() {
        #expect(Self.haveDisagreement(Self.start + [Self.unit(Self.trailing, [0x7F, 0xFF, 0xFF])]))
        #expect(Self.haveDisagreement(Self.start + [[2, 1, 0x80]]))
        #expect(Self.haveDisagreement([Self.slice(Self.idr, 0), [2, 1, 0x80]]))
        #expect(Self.haveDisagreement([[38, 1, 0x40]]))
        // A stream that was cut out of another stream may begin without its parameter sets.
        #expect(!Self.haveDisagreement([[2, 1, 0x80], Self.slice(Self.idr, 0)]))
        let frames = [
            Self.slice(Self.clean, 8, longTerm: 0), Self.slice(Self.trailing, 12, keeping: [8], longTerm: 0),
            Self.slice(Self.trailing, 14, keeping: [8], longTerm: 1),
        ]
        #expect(!Self.haveDisagreement(Array(frames[..<2]), hasLongTermFrames: true))
        #expect(Self.haveDisagreement(frames, hasLongTermFrames: true))
    }

    @Test("HEVC units that decoders leave out neither raise nor remove a doubt")
    func leftOut() {
        let frame = Self.slice(Self.trailing, 12, keeping: [4])
        #expect(Self.haveDisagreement(Self.start + [[0x80, 1, 1] + [0, 0, 1] + frame]))
        #expect(!Self.haveDisagreement(Self.start + [Self.slice(Self.trailing, 12, keeping: [4], layer: 9)]))
        #expect(Self.haveDisagreement(Self.start + [Self.slice(30, 12) + [0, 0, 1] + frame]))
    }

    @Test("A set told by another one is that set with shifted distances, as the standard has it")
    func alteredSet() throws {
        var bits = Bits()
        // A set of two frames before and one behind; then the set that it predicts, without the farthest frame.
        bits.universal(2, 1, 0)
        bits.number(1, 1)
        bits.universal(2)
        bits.number(1, 1)
        bits.universal(1)
        bits.number(1, 1)
        bits.number(1, 1)
        bits.number(1, 1)
        bits.universal(0)
        bits.number(0b1_00_1_01, 6)
        var reader = BitReader(bits.bytes[...])
        let first = try #require(HEVCReferenceSet.read(&reader, known: [], isInSlice: false))
        #expect(first == HEVCReferenceSet(before: [-1, -4], behind: [2]))
        let second = HEVCReferenceSet.read(&reader, known: [first], isInSlice: false)
        #expect(second == HEVCReferenceSet(before: [-1, -2], behind: [1]))
    }
}
