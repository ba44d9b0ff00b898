// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds HEVC frames that depend on frames before a clean random access picture, and packets of several pictures.
///
/// No encoder makes either. A player that begins at such a picture shows other frames than a player that has decoded
/// all, and segments are decoded separately here. FFmpeg makes up the missing frame. It reports this only if the random
/// access picture does not list that frame. Source: ITU-T H.265, sections 7.3.6.1, 7.4.2.2 and 8.3.1.
package struct HEVCReferences {
    /// Whether a frame depends on such earlier frames, a packet has several pictures, or a frame could not be checked.
    package private(set) var haveDisagreement = false
    private var sequences: [Int: HEVCSequence] = [:]
    private var pictures: [Int: HEVCPicture] = [:]
    /// The numbers (picture order counts) of frames that decoders may still hold at the latest random access picture.
    private var earlier: Set<Int> = []
    /// The numbers of the latest frames, and of the latest frames from the latest random access picture on.
    private var (latest, since): ([Int], [Int]) = ([], [])
    /// The numbers of the frames that the latest frame keeps.
    private var kept: [Int] = []
    /// The number of the latest random access picture, or nil if no frame can depend on frames before that picture.
    private var access: Int?
    /// Whether there has been a random access picture.
    private var hasBegun = false
    /// The number of an earlier frame, from which the upper bits of the next frame's number follow.
    private var anchor = 0

    /// - Parameter extraData: the parameters that the container holds for the decoder.
    package init(extraData: [UInt8]) {
        for unit in CodedUnits.parameters(of: .hevc, in: extraData) { addParameters(unit) }
    }

    /// Notes a packet of the stream, in the order of the file.
    package mutating func add(_ packet: CodedPacket) {
        guard !haveDisagreement else { return }
        var first: UInt8?
        for unit in packet.units where CodedUnits.isRead(ofHEVC: unit) {
            let isFirstSlice = unit[2] & 0x80 != 0
            guard let kind = CodedUnits.pictureKind(ofHEVC: unit) else {
                // Parameters behind a slice could change how the slice is read.
                if first != nil, (32...34).contains(unit[0] >> 1) { haveDisagreement = true }
                addParameters(unit)
                continue
            }
            if let first {
                // A decoder shows only one picture of a packet. Its choice depends on the frames before the packet.
                if isFirstSlice || kind != first { haveDisagreement = true }
            } else {
                addPicture(kind, isBaseLayer: unit[1] & 7 == 1, CodedUnits.payload(of: unit.dropFirst(2)))
                first = kind
            }
        }
    }

    private mutating func addParameters(_ unit: [UInt8]) {
        guard CodedUnits.isRead(ofHEVC: unit) else { return }
        switch unit[0] >> 1 {
        case 33:
            if let sequence = HEVCSequence(CodedUnits.payload(of: unit.dropFirst(2))) {
                sequences[sequence.identifier] = sequence
            }
        case 34:
            if let picture = HEVCPicture(CodedUnits.payload(of: unit.dropFirst(2))) {
                pictures[picture.identifier] = picture
            }
        default: break
        }
    }

    /// - Parameters:
    ///   - kind: the NAL unit type of the picture's first slice.
    ///   - isBaseLayer: whether the picture is in the lowest temporal layer.
    private mutating func addPicture(_ kind: UInt8, isBaseLayer: Bool, _ payload: [UInt8]) {
        let isAccess = kind >= 16
        guard let slice = Slice(kind, payload, pictures, sequences) else {
            // A stream that was cut out of another stream can begin without its parameters.
            if hasBegun || isAccess { haveDisagreement = true }
            return
        }
        // IDR pictures and broken link access pictures restart the count.
        let beginsAnew = isAccess && kind != Self.cleanAccess
        let number = beginsAnew ? slice.order : complete(slice.order, bits: slice.orderBits)
        if beginsAnew { (latest, kept) = ([], []) }
        let keeps = (slice.set.before + slice.set.behind).map { $0 + number }
        if isAccess {
            hasBegun = true
            earlier = Set(latest + kept + keeps)
            since = [number]
            access = beginsAnew ? nil : number
        } else if !((8...9).contains(kind) && access.map { number < $0 } == true) {
            // A player that begins here skips leading pictures with earlier references, but not this picture.
            if let access {
                haveDisagreement =
                    slice.hasLongTermFrames || earlier.contains(number)
                    || keeps.contains { earlier.contains($0) || $0 < access && !since.contains($0) }
            }
            since = since.suffix(Self.mostFrames - 1) + [number]
        }
        kept = keeps
        latest = latest.suffix(Self.mostFrames - 1) + [number]
        // Leading pictures, and pictures on which no other picture of their layer depends, never serve as the anchor.
        if isBaseLayer, !(6...9).contains(kind), kind > 14 || kind % 2 == 1 { anchor = number }
    }

    /// Returns the full number of a frame: of all numbers with the given lower bits, the nearest to the anchor.
    private func complete(_ order: Int, bits: Int) -> Int {
        let size = 1 << bits
        let lower = anchor & (size - 1)
        let base = anchor - lower
        if order < lower, lower - order >= size / 2 { return base + size + order }
        if order > lower, order - lower > size / 2 { return base - size + order }
        return base + order
    }

    private static let cleanAccess: UInt8 = 21
    /// The number of latest frames that are remembered; a decoder holds fewer frames besides the reference frames.
    private static let mostFrames = 64

    /// The header of the first slice of a picture, up to the fields that list the reference frames.
    private struct Slice {
        /// The lower bits of the picture's number.
        var order = 0
        var orderBits = 4
        var set = HEVCReferenceSet()
        var hasLongTermFrames = false

        init?(_ kind: UInt8, _ payload: [UInt8], _ pictures: [Int: HEVCPicture], _ sequences: [Int: HEVCSequence]) {
            var bits = BitReader(payload[...])
            guard bits.flag() else { return nil }
            if kind >= 16 { bits.skip(1) }
            guard let picture = pictures[bits.universal()], let sequence = sequences[picture.sequence] else {
                return nil
            }
            orderBits = sequence.orderBits
            bits.skip(picture.extraBitCount)
            _ = bits.universal()
            bits.skip((picture.hasOutputFlag ? 1 : 0) + (sequence.hasSeparateColours ? 2 : 0))
            if !(19...20).contains(kind) {
                order = bits.number(orderBits)
                guard let set = Self.readSet(&bits, sequence) else { return nil }
                self.set = set
                if sequence.hasLongTermFrames {
                    let named = sequence.longTermCount > 0 ? bits.universal() : 0
                    hasLongTermFrames = named + bits.universal() > 0
                }
            }
            guard !bits.isExhausted else { return nil }
        }

        private static func readSet(_ bits: inout BitReader, _ sequence: HEVCSequence) -> HEVCReferenceSet? {
            guard bits.flag() else { return HEVCReferenceSet.read(&bits, known: sequence.sets, isInSlice: true) }
            guard !sequence.sets.isEmpty else { return nil }
            // The index has as many bits as the number of the last set.
            let size = Int.bitWidth - (sequence.sets.count - 1).leadingZeroBitCount
            let index = bits.number(size)
            return index < sequence.sets.count ? sequence.sets[index] : nil
        }
    }
}
