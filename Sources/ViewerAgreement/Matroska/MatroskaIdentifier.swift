// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The identifiers of the elements that are read in Matroska files.
///
/// Source: RFC 9559, section 5.1.
enum MatroskaIdentifier {
    static let header: UInt32 = 0x1A45_DFA3
    static let documentType: UInt32 = 0x4282
    static let segment: UInt32 = 0x1853_8067
    static let information: UInt32 = 0x1549_A966
    static let tracks: UInt32 = 0x1654_AE6B
    static let track: UInt32 = 0xAE
    static let trackNumber: UInt32 = 0xD7
    static let trackType: UInt32 = 0x83
    static let codec: UInt32 = 0x86
    static let video: UInt32 = 0xE0
    static let colour: UInt32 = 0x55B0
    static let projection: UInt32 = 0x7670
    static let encodings: UInt32 = 0x6D80
    static let encoding: UInt32 = 0x6240
    static let encodingOrder: UInt32 = 0x5031
    static let encodingScope: UInt32 = 0x5032
    static let encodingType: UInt32 = 0x5033
    static let compression: UInt32 = 0x5034
    static let compressionAlgorithm: UInt32 = 0x4254
    static let compressionSettings: UInt32 = 0x4255
    static let encryption: UInt32 = 0x5035
    static let cluster: UInt32 = 0x1F43_B675
    static let blockGroup: UInt32 = 0xA0
    static let simpleBlock: UInt32 = 0xA3
    /// CodecPrivate.
    static let parameters: UInt32 = 0x63A2
    /// Cues, the index: CueClusterPosition is in CueTrackPositions, which is in CuePoint.
    static let index: UInt32 = 0x1C53_BB6B
    static let point: UInt32 = 0xBB
    static let clusterPlace: UInt32 = 0xB7
    static let clusterPosition: UInt32 = 0xF1
    /// SeekHead, the list of elements: SeekID and SeekPosition are in Seek.
    static let list: UInt32 = 0x114D_9B74
    static let listed: UInt32 = 0x4DBB
    static let listedIdentifier: UInt32 = 0x53AB
    static let listedPosition: UInt32 = 0x53AC
    static let checksum: UInt32 = 0xBF
}
