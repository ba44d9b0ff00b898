// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Finds joined files, repeated track descriptions and misleading indices in Matroska and WebM files.
///
/// FFmpeg reads the frames of all joined files by the first description. Other programs obey each description. A
/// program that seeks continues at a position in the index, which may lie in an element that this decoder skips.
///
/// Source: RFC 8794, sections 4 to 6, and RFC 9559, section 5.1.
package struct MatroskaStructure {
    /// Whether there is more than one file, or more than one description of the tracks.
    package private(set) var isJoined = false
    /// Whether an index names a position without a cluster, or a SeekHead a wrong position of an index or SeekHead.
    package private(set) var hasDisagreement = false
    private let file: InputFile
    /// The bytes of the file that were read last, and their position in the file.
    private var window: (start: Int, bytes: [UInt8]) = (0, [])

    private struct Element {
        let identifier: UInt32
        let position: Int
        let start: Int
        /// The end of the element, or nil if its size is unknown and the next element ends it.
        let end: Int?
    }

    /// - Throws: `unreadable`, `tooManyParts`.
    package init(_ file: InputFile) throws(DecodingFailure) {
        self.file = file
        var (position, headers, tracks, count) = (0, 0, 0, 0)
        // Positions in the segment count from the start of its content.
        var origin: Int?
        var (clusters, indices, lists): (Set<Int>, [Element], [Element]) = ([], [], [])
        while position < file.byteCount {
            count += 1
            guard count <= Self.mostElements else {
                throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostElements), detail: "elements")
            }
            guard let element = try element(at: position) else {
                // Behind bytes that are no element, programs search for the next element with a known identifier.
                if let found = try header(behind: position + 1) { headers += found }
                break
            }
            headers += element.identifier == Self.header ? 1 : 0
            tracks += element.identifier == Self.tracks ? 1 : 0
            switch element.identifier {
            case Self.segment: origin = origin ?? element.start
            case Self.cluster: clusters.insert(position)
            case Self.index: indices.append(element)
            case Self.list: lists.append(element)
            default: break
            }
            let isEntered =
                element.identifier == Self.segment || element.identifier == Self.cluster && element.end == nil
            guard let next = isEntered ? element.start : element.end else { break }
            position = next
        }
        isJoined = headers > 1 || tracks > 1
        guard let origin else { return }
        let known = Set((indices + lists).map(\.position))
        let led = try numbers(in: indices, named: [Self.clusterPosition], &count)
        let listed = try numbers(in: lists, named: [Self.listedIdentifier, Self.listedPosition], &count)
        // No program can seek to a position behind the end of a cut file.
        let length = file.byteCount - origin
        hasDisagreement =
            led.contains { $0.value < length && !clusters.contains(origin + $0.value) }
            || zip(listed, listed.dropFirst()).contains { identifier, position in
                identifier.name == Self.listedIdentifier && position.name == Self.listedPosition
                    && [Self.index, Self.list].contains(UInt32(truncatingIfNeeded: identifier.value))
                    && position.value < length && !known.contains(origin + position.value)
            }
    }

    /// Returns the numbers in the named elements inside other elements, at every depth that programs enter.
    private mutating func numbers(
        in elements: [Element], named names: Set<UInt32>, _ count: inout Int
    ) throws(DecodingFailure) -> [(name: UInt32, value: Int)] {
        var numbers: [(name: UInt32, value: Int)] = []
        for whole in elements {
            var position = whole.start
            let end = min(whole.end ?? file.byteCount, file.byteCount)
            while position < end, let element = try element(at: position) {
                count += 1
                guard count <= Self.mostElements else {
                    throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostElements), detail: "elements")
                }
                guard let next = element.end else { break }
                if names.contains(element.identifier), next - element.start <= 8 {
                    let bytes = try file.bytes(at: element.start, count: next - element.start)
                    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    // With this bound, a sum with another position cannot overflow.
                    numbers.append((element.identifier, Int(min(value, UInt64(1) << 60))))
                }
                position = Self.entered.contains(element.identifier) ? element.start : next
            }
        }
        return numbers
    }

    private mutating func element(at position: Int) throws(DecodingFailure) -> Element? {
        if position < window.start || position + Self.longestHeader > window.start + window.bytes.count {
            window = (position, try file.bytes(at: position, count: Self.windowSize))
        }
        let bytes = window.bytes
        var place = position - window.start
        guard place < bytes.count, bytes[place] != 0 else { return nil }
        let length = bytes[place].leadingZeroBitCount + 1
        guard length <= 4, place + length < bytes.count else { return nil }
        let identifier = bytes[place..<(place + length)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        place += length
        let sizeLength = bytes[place].leadingZeroBitCount + 1
        guard sizeLength <= 8, place + sizeLength <= bytes.count else { return nil }
        let marked = bytes[place..<(place + sizeLength)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let most = UInt64(1) << (7 * UInt64(sizeLength))
        let (size, start) = (marked & (most - 1), window.start + place + sizeLength)
        if size == most - 1 { return Element(identifier: identifier, position: position, start: start, end: nil) }
        return Element(
            identifier: identifier, position: position, start: start, end: start + Int(min(size, UInt64(1) << 60)))
    }

    /// Returns 1 if another file or description of tracks may begin behind a position, and nil otherwise.
    private func header(behind position: Int) throws(DecodingFailure) -> Int? {
        guard file.byteCount - position <= Self.mostSearchedBytes else { return 1 }
        var position = position
        while position < file.byteCount {
            let bytes = try file.bytes(at: position, count: Self.windowSize)
            var word: UInt32 = 0
            for byte in bytes {
                word = word << 8 | UInt32(byte)
                if word == Self.header || word == Self.tracks { return 1 }
            }
            if bytes.count < Self.windowSize { break }
            position += bytes.count - 3
        }
        return nil
    }

    private static let header: UInt32 = 0x1A45_DFA3
    private static let segment: UInt32 = 0x1853_8067
    private static let tracks: UInt32 = 0x1654_AE6B
    private static let cluster: UInt32 = 0x1F43_B675
    /// Cues, the index; `clusterPosition` is CueClusterPosition in it.
    private static let index: UInt32 = 0x1C53_BB6B
    private static let clusterPosition: UInt32 = 0xF1
    /// SeekHead, the list of elements; the next two identifiers are SeekID and SeekPosition in it.
    private static let list: UInt32 = 0x114D_9B74
    private static let listedIdentifier: UInt32 = 0x53AB
    private static let listedPosition: UInt32 = 0x53AC
    /// CuePoint, CueTrackPositions and Seek, whose contents are read.
    private static let entered: Set<UInt32> = [0xBB, 0xB7, 0x4DBB]
    /// The most elements that are read; ten hours of pictures and sound from a live recording have fewer.
    private static let mostElements = 8_000_000
    private static let longestHeader = 12
    private static let windowSize = 64 << 10
    private static let mostSearchedBytes = 64 << 20
}
