// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Checks in H.264 whether the parameters of a picture depend on where a player begins.
///
/// Cameras change a parameter set within a group of pictures, at a picture without references. All players show the same
/// if such a picture, and every other at which a player may begin, brings the sets that it uses.
///
/// Sources: ITU-T H.264, sections 7.3.2.1, 7.3.2.2, 7.3.3, 7.4.1.2.1 and D.1.8.
struct H264ParameterSets {
    private(set) var haveDisagreement = false
    private var sequences = Sets()
    private var pictures = Sets()
    /// The number of the sequence to which each picture parameter set belongs.
    private var sequenceOfPictures: [Int: Int] = [:]

    /// The parameter sets of one kind, by their numbers.
    private struct Sets {
        var first: [Int: [UInt8]] = [:]
        /// The sets of which there were different ones.
        var changed: Set<Int> = []
        /// The sets that came since the latest picture at which a player may begin, or with the container.
        var sent: Set<Int> = []
        /// The sets that were used without having been sent.
        var unsent: Set<Int> = []

        var haveDisagreement: Bool { !changed.isDisjoint(with: unsent) }

        /// Returns whether the set is another one than the first of its number.
        mutating func add(_ number: Int, _ unit: [UInt8]) -> Bool {
            sent.insert(number)
            guard let known = first[number], known != unit else {
                first[number] = unit
                return changed.contains(number)
            }
            changed.insert(number)
            return true
        }

        mutating func use(_ number: Int) {
            if !sent.contains(number) { unsent.insert(number) }
        }
    }

    init(extraData: [UInt8]) {
        for unit in CodedUnits.parameters(of: .h264, in: extraData) { _ = add(unit) }
    }

    /// Notes a packet of the stream, in the order of the file.
    mutating func add(_ packet: CodedPacket, isKey: Bool, isFirst: Bool) {
        let units = packet.units + packet.otherUnits
        // The container's own sets are those of the first picture.
        if !isFirst, isKey || Self.mayBegin(units) { (sequences.sent, pictures.sent) = ([], []) }
        var hasSlice = false
        for unit in units {
            if CodedUnits.isSlice(ofH264: unit) {
                use(in: unit)
                hasSlice = true
            } else if add(unit), hasSlice || packet.shape != .plain || unit[0] & Self.importance == 0 {
                // Some decoders read all sets of a packet first, and some pass over units that nothing depends on.
                haveDisagreement = true
            }
        }
        if sequences.haveDisagreement || pictures.haveDisagreement { haveDisagreement = true }
    }

    /// Notes a unit, and returns whether it is a parameter set that has changed.
    private mutating func add(_ unit: [UInt8]) -> Bool {
        guard let first = unit.first, first & 0x80 == 0 else { return false }
        switch first & 31 {
        case Kind.sequence:
            var bits = BitReader(CodedUnits.payload(of: unit.dropFirst())[...])
            bits.skip(24)
            let number = bits.universal()
            guard sequences.add(number, unit) else { return false }
            // Some decoders drop the picture parameter sets of a sequence that has changed.
            for (picture, sequence) in sequenceOfPictures where sequence == number {
                pictures.changed.insert(picture)
                pictures.sent.remove(picture)
            }
            return true
        case Kind.picture:
            var bits = BitReader(CodedUnits.payload(of: unit.dropFirst())[...])
            let number = bits.universal()
            sequenceOfPictures[number] = bits.universal()
            return pictures.add(number, unit)
        // The extension and the subset of a sequence never change.
        case Kind.sequenceExtension, Kind.subset: return sequences.add(Self.otherNumbers + Int(first & 31), unit)
        default: return false
        }
    }

    private mutating func use(in slice: [UInt8]) {
        var bits = BitReader(CodedUnits.payload(of: slice.dropFirst().prefix(Self.mostHeaderBytes))[...])
        for _ in 0..<2 { _ = bits.universal() }
        let number = bits.universal()
        pictures.use(number)
        if let sequence = sequenceOfPictures[number] { sequences.use(sequence) }
    }

    /// Whether a player may begin at a packet: it has slices without references only, or a recovery point.
    private static func mayBegin(_ units: [[UInt8]]) -> Bool {
        let slices = units.filter(CodedUnits.isSlice)
        let areAlone = slices.allSatisfy { slice in
            var bits = BitReader(CodedUnits.payload(of: slice.dropFirst().prefix(mostHeaderBytes))[...])
            _ = bits.universal()
            return [2, 4, 7, 9].contains(bits.universal())
        }
        return !slices.isEmpty && areAlone || units.contains(where: hasRecoveryPoint)
    }

    /// Whether a unit of supplemental information has a message of the kind "recovery point".
    private static func hasRecoveryPoint(_ unit: [UInt8]) -> Bool {
        guard let first = unit.first, first & 31 == Kind.information else { return false }
        let bytes = CodedUnits.payload(of: unit.dropFirst())
        var place = 0
        func number() -> Int {
            var sum = 0
            while place < bytes.count {
                sum += Int(bytes[place])
                place += 1
                if bytes[place - 1] != 0xFF { break }
            }
            return sum
        }
        while place + 2 < bytes.count {
            if number() == recoveryPoint { return true }
            place += number()
        }
        return false
    }

    /// The kinds of units.
    private enum Kind {
        static let information: UInt8 = 6
        static let sequence: UInt8 = 7
        static let picture: UInt8 = 8
        static let sequenceExtension: UInt8 = 13
        static let subset: UInt8 = 15
    }
    /// The bits of a unit's header that are 0 if no picture depends on the unit.
    private static let importance: UInt8 = 0x60
    private static let recoveryPoint = 6
    /// A number above those of sequences, for units that have none of their own.
    private static let otherNumbers = 1000
    private static let mostHeaderBytes = 32
}
