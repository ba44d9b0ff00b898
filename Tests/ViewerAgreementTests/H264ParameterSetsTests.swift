// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ViewerAgreement

@Suite("Parameter sets of H.264")
struct H264ParameterSetsTests {
    // The last bits of each set stand for its content, and the first for its number 0.
    private static let sequence: [UInt8] = [0x67, 100, 0, 30, 0x80 | 1]
    private static let otherSequence: [UInt8] = [0x67, 100, 0, 30, 0x80 | 2]
    private static let set: [UInt8] = [0x68, 0xC0 | 1]
    private static let otherSet: [UInt8] = [0x68, 0xC0 | 2]
    /// A set of number 1.
    private static let nextSet: [UInt8] = [0x68, 0b0101_0001]
    /// First macroblock 0, slice of kind 7 (I) or 5 (P), and set 0 or 1.
    private static let alone: [UInt8] = [0x65, 0b1000_1000, 0x80]
    private static let aloneWithoutRestart: [UInt8] = [0x41, 0b1000_1000, 0x80]
    private static let dependent: [UInt8] = [0x41, 0b1001_1010, 0]
    private static let dependentOnNext: [UInt8] = [0x41, 0b1001_1001, 0x00]
    private static let recoveryPoint: [UInt8] = [0x06, 5, 2, 1, 1, 6, 1, 0x80, 0x80]

    private static let start = (units: [sequence, set, alone], isKey: true)
    private static let extraData: [UInt8] =
        [1, 100, 0, 30, 0xFF, 0xE1, 0, 5] + sequence + [1, 0, 2] + set

    private static func haveDisagreement(
        _ packets: [(units: [[UInt8]], isKey: Bool)], extraData: [UInt8] = []
    ) -> Bool {
        var sets = ParameterSets(.h264, extraData: extraData)
        // Without the container's sets, units have start codes.
        let units = CodedUnits(.h264, extraData: extraData)
        for packet in packets {
            let bytes = packet.units.flatMap { unit -> [UInt8] in
                extraData.isEmpty ? [0, 0, 1] + unit : [0, 0, 0, UInt8(unit.count)] + unit
            }
            sets.add(units.split(bytes), isKey: packet.isKey)
        }
        return sets.haveDisagreement
    }

    @Test("Sets that never change raise no doubt, wherever they are repeated")
    func unchanged() {
        let packets = [
            Self.start, ([Self.dependent], false), ([Self.sequence, Self.set, Self.dependent], false),
            ([Self.alone], true),
        ]
        #expect(!Self.haveDisagreement(packets))
        #expect(!Self.haveDisagreement([([Self.alone], true)] + packets, extraData: Self.extraData))
    }

    @Test("A set may change within a group at a picture without references, as in cameras")
    func changeWithinGroup() {
        let middle = ([Self.otherSet, Self.aloneWithoutRestart], false)
        #expect(!Self.haveDisagreement([Self.start, ([Self.dependent], false), middle, ([Self.dependent], false)]))
        #expect(!Self.haveDisagreement([Self.start, middle, ([Self.dependent], false), Self.start]))
        // A player begins at the second picture without references as well, and would have the first set.
        #expect(Self.haveDisagreement([Self.start, middle, ([Self.aloneWithoutRestart], false)]))
        let later = ([Self.otherSet, Self.aloneWithoutRestart], false)
        #expect(!Self.haveDisagreement([Self.start, middle, later, ([Self.dependent], false)]))
    }

    @Test("A set that comes with a dependent picture holds until the next picture at which a player may begin")
    func changeAtDependentPicture() {
        let change = ([Self.otherSet, Self.dependent], false)
        #expect(!Self.haveDisagreement([Self.start, change, ([Self.dependent], false), Self.start]))
        #expect(Self.haveDisagreement([Self.start, change, ([Self.alone], true)]))
        #expect(Self.haveDisagreement([Self.start, change, ([Self.recoveryPoint, Self.dependent], false)]))
        #expect(!Self.haveDisagreement([Self.start, ([Self.otherSet, Self.recoveryPoint, Self.dependent], false)]))
    }

    @Test("A later change makes an earlier picture doubtful that did not bring its set, but for the first")
    func laterChange() {
        let change = ([Self.sequence, Self.otherSet, Self.alone], true)
        #expect(Self.haveDisagreement([Self.start, ([Self.alone], true), change]))
        #expect(!Self.haveDisagreement([Self.start, change]))
        #expect(!Self.haveDisagreement([([Self.alone], true), change], extraData: Self.extraData))
        #expect(Self.haveDisagreement([([Self.alone], true), change, ([Self.alone], true)], extraData: Self.extraData))
    }

    @Test("A changed set of another number does not matter to a picture")
    func otherNumber() {
        let different: [UInt8] = [0x68, 0b0101_0010]
        let start = ([Self.sequence, Self.set, Self.nextSet, Self.alone], true)
        let change = ([different, Self.dependent], false)
        #expect(!Self.haveDisagreement([start, change, ([Self.aloneWithoutRestart], false)]))
        #expect(
            Self.haveDisagreement([start, change, ([Self.aloneWithoutRestart], false), ([Self.dependentOnNext], false)])
        )
    }

    @Test("A sequence that changes needs its picture parameter sets again")
    func sequences() {
        let both = ([Self.otherSequence, Self.set, Self.alone], true)
        #expect(!Self.haveDisagreement([Self.start, both, Self.start]))
        #expect(Self.haveDisagreement([Self.start, ([Self.otherSequence, Self.alone], true)]))
        #expect(Self.haveDisagreement([Self.start, both, ([Self.set, Self.alone], true)]))
    }

    @Test("A set that changes behind a slice, or in a unit that decoders may pass over, is doubtful")
    func places() {
        #expect(Self.haveDisagreement([Self.start, ([Self.dependent, Self.otherSet], false)]))
        var unimportant = Self.otherSet
        unimportant[0] = 0x08
        #expect(Self.haveDisagreement([Self.start, ([unimportant, Self.aloneWithoutRestart], false)]))
        #expect(!Self.haveDisagreement([Self.start, ([Self.set, Self.dependent], false)]))
    }
}
