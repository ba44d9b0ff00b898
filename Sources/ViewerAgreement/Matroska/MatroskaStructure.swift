// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Finds joined files, repeated or contradicting descriptions and misleading indices in Matroska and WebM files.
///
/// FFmpeg reads the frames of all joined files by the first description. Other programs obey each description. A
/// program that seeks continues at a position in the index, which may lie in an element that this decoder skips.
///
/// Source: RFC 8794, sections 4 to 6, and RFC 9559, section 5.1.
package struct MatroskaStructure {
    /// Whether there is more than one file, or more than one description of the tracks.
    package private(set) var isJoined = false
    /// Whether elements break the table of the standard, or an index or SeekHead names a wrong position.
    package private(set) var hasDisagreement = false
    /// Whether an element ends behind the end of the file.
    package private(set) var isCut = false
    private let file: InputFile
    private var reader: MatroskaElements
    private var documentType: String?

    private typealias Element = MatroskaElements.Element
    private typealias Identifier = MatroskaIdentifier

    /// - Throws: `unreadable`, `tooManyParts`.
    package init(_ file: InputFile) throws(DecodingFailure) {
        self.file = file
        reader = MatroskaElements(file)
        var (position, headers, tracks) = (0, 0, 0)
        // Positions in the segment count from the start of its content.
        var origin: Int?
        // The end of the cluster that is read, and whether its size is unknown.
        var (clusterEnd, isOpen) = (0, false)
        var (indices, lists): ([Element], [Element]) = ([], [])
        // The identifier of each element outside of clusters, and of each cluster.
        var places: [Int: UInt32] = [:]
        while position < file.byteCount {
            guard let element = try reader.element(at: position) else {
                if position < clusterEnd {
                    // Some programs look for the next block behind such bytes, and others for the next cluster.
                    hasDisagreement = true
                    position = clusterEnd
                    continue
                }
                // Behind bytes that are no element, programs search for the next element with a known identifier.
                if file.byteCount - position > MatroskaElements.longestHeader, try !isEmpty(from: position) {
                    hasDisagreement = true
                }
                if let found = try header(behind: position + 1) { headers += found }
                break
            }
            if let end = element.end, end > file.byteCount { isCut = true }
            switch element.identifier {
            case Identifier.header: headers += 1
            case Identifier.tracks: tracks += 1
            case Identifier.segment:
                if origin != nil { hasDisagreement = true }
                origin = origin ?? element.start
            case Identifier.cluster:
                if position < clusterEnd { hasDisagreement = true }
                (clusterEnd, isOpen) = (element.end ?? 0, element.end == nil)
            case Identifier.index: indices.append(element)
            case Identifier.list: lists.append(element)
            default: break
            }
            if element.identifier == Identifier.cluster || position >= clusterEnd {
                places[position] = element.identifier
            }
            if position < clusterEnd, element.end ?? 0 > clusterEnd { hasDisagreement = true }
            let isEntered = element.identifier == Identifier.segment || element.identifier == Identifier.cluster
            if !isEntered {
                // Only segments and clusters may have an unknown size, and only clusters have blocks.
                let (isPart, isFiller) = (
                    Self.parts.contains(element.identifier), Self.fillers.contains(element.identifier)
                )
                let isMisplaced =
                    position < clusterEnd ? !isPart : !(isPart ? isOpen : Self.outer.contains(element.identifier))
                if element.end == nil || isMisplaced && !isFiller { hasDisagreement = true }
                if !MatroskaQuantities.hasSizeOfItsKind(element) { hasDisagreement = true }
                if position >= clusterEnd, !isPart, !isFiller { isOpen = false }
                if !isPart, let end = element.end, try holdsCluster(element.start..<end) { hasDisagreement = true }
            }
            // No program has the rest of a cut file.
            if !isEntered, let end = element.end, end <= file.byteCount, try !isUnderstoodAlike(element) {
                hasDisagreement = true
            }
            guard let next = isEntered ? element.start : element.end else { break }
            position = next
        }
        isJoined = headers > 1 || tracks > 1
        if let origin, try areMisleading(indices, lists, places, origin: origin) { hasDisagreement = true }
    }

    /// Whether all programs take the same from an element: each part is there as often as the table says.
    private mutating func isUnderstoodAlike(_ element: Element) throws(DecodingFailure) -> Bool {
        guard try MatroskaQuantities.areKept(by: element, &reader) else { return false }
        switch element.identifier {
        case Identifier.header:
            let parts = try reader.elements(in: element)
            documentType = try parts.first { $0.identifier == Identifier.documentType }.flatMap(reader.text)
            return true
        case Identifier.tracks:
            return try MatroskaTracks.areUnderstoodAlike(element, documentType: documentType, &reader)
        default: return true
        }
    }

    /// Whether an index names a position without a cluster, or a SeekHead a position without the element that it names.
    ///
    /// - Parameter places: the identifiers of the clusters and of the elements outside of them, by position.
    private mutating func areMisleading(
        _ indices: [Element], _ lists: [Element], _ places: [Int: UInt32], origin: Int
    ) throws(DecodingFailure) -> Bool {
        // No program can seek to a position behind the end of a cut file.
        let length = file.byteCount - origin
        for index in indices {
            for point in try reader.elements(in: index) {
                for place in try reader.elements(in: point) where place.identifier == Identifier.clusterPlace {
                    let position = try number(Identifier.clusterPosition, in: place) ?? length
                    if position < length, places[origin + position] != Identifier.cluster { return true }
                }
            }
        }
        for list in lists {
            for entry in try reader.elements(in: list) where entry.identifier == Identifier.listed {
                let position = try number(Identifier.listedPosition, in: entry) ?? length
                let identifier = try number(Identifier.listedIdentifier, in: entry)
                if position < length, identifier == nil || places[origin + position].map(Int.init) != identifier {
                    return true
                }
            }
        }
        return false
    }

    /// Returns the number in a part of an element, or nil if there is no such part or its number is too long.
    private mutating func number(_ name: UInt32, in element: Element) throws(DecodingFailure) -> Int? {
        try reader.elements(in: element).first { $0.identifier == name }.flatMap(reader.number)
    }

    /// Whether all bytes from a position on are 0, as in a file of which the end was never written.
    private func isEmpty(from position: Int) throws(DecodingFailure) -> Bool {
        guard file.byteCount - position <= Self.mostSearchedBytes else { return false }
        for start in stride(from: position, to: file.byteCount, by: Self.windowSize) {
            guard try file.bytes(at: start, count: Self.windowSize).allSatisfy({ $0 == 0 }) else { return false }
        }
        return true
    }

    /// Whether the identifier of a cluster stands in an element that has none, such as Void and Attachments.
    ///
    /// In a file without an index, Chromium goes on at the next such identifier.
    private func holdsCluster(_ range: Range<Int>) throws(DecodingFailure) -> Bool {
        try contains([Identifier.cluster], in: range.clamped(to: 0..<file.byteCount))
    }

    /// Returns 1 if another file or description of tracks may begin behind a position, and nil otherwise.
    private func header(behind position: Int) throws(DecodingFailure) -> Int? {
        guard file.byteCount - position <= Self.mostSearchedBytes else { return 1 }
        return try contains([Identifier.header, Identifier.tracks], in: position..<file.byteCount) ? 1 : nil
    }

    /// Whether one of these identifiers of four bytes begins in a part of the file.
    private func contains(_ identifiers: [UInt32], in range: Range<Int>) throws(DecodingFailure) -> Bool {
        var (position, word): (Int, UInt32) = (range.lowerBound, 0)
        while position < range.upperBound {
            let bytes = try file.bytes(at: position, count: min(Self.windowSize, range.upperBound - position))
            guard !bytes.isEmpty else { return false }
            for byte in bytes {
                word = word << 8 | UInt32(byte)
                if identifiers.contains(word) { return true }
            }
            position += bytes.count
        }
        return false
    }

    /// The parts of a cluster.
    private static let parts = MatroskaQuantities.contents[Identifier.cluster]!.names
    /// The other elements of a segment, among them Attachments, Chapters and Tags, and the header of a file.
    private static let outer: Set<UInt32> = [
        Identifier.header, Identifier.information, Identifier.tracks, Identifier.index, Identifier.list, 0x1941_A469,
        0x1043_A770, 0x1254_C367,
    ]
    /// Void and CRC-32, which may stand anywhere.
    private static let fillers: Set<UInt32> = [0xEC, 0xBF]
    private static let windowSize = 64 << 10
    private static let mostSearchedBytes = 64 << 20
}
