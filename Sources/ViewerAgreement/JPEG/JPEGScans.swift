// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The scans of a JPEG picture, checked for differences between programs.
///
/// If two scans have the same data, or tables change, libjpeg uses the first and FFmpeg the last. libjpeg makes up
/// missing parts of a picture. Source: ITU-T T.81, annexes B.2 and G.1.1.
struct JPEGScans {
    let isProgressive: Bool
    /// The number of missing bits of each of 64 coefficients, by component name; nil if no scan has had bits of it.
    private var lacking: [UInt8: [UInt8?]]
    /// The end of the last segment in which no program looks for markers, in bytes from the start of the file; earlier
    /// markers are ignored.
    private var next = 0
    /// Whether the end of the picture was found.
    private(set) var hasEnded = false

    /// - Parameters:
    ///   - marker: the second byte of the marker of the frame.
    ///   - frame: the first 18 bytes of the frame header, from its precision on.
    init(marker: UInt8, frame: [UInt8]) {
        isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
        lacking = [:]
        let count = frame.count > 5 ? Int(frame[5]) : 0
        for place in (0..<count).map({ 6 + 3 * $0 }) where place < frame.count {
            lacking[frame[place]] = Array(repeating: nil, count: 64)
        }
    }

    /// Notes bytes after the first scan at which a marker may begin; positions must come in order.
    ///
    /// - Returns: the marker, if a segment begins there.
    /// - Throws: `ambiguousRendering`.
    mutating func note(_ bytes: ArraySlice<UInt8>, at position: Int) throws(DecodingFailure) -> UInt8? {
        guard !hasEnded, position >= next, bytes.count >= 2, bytes.first == 0xFF else { return nil }
        let marker = bytes[bytes.startIndex + 1]
        switch marker {
        case 0xD8, 0xD9:
            // If the file ends before its picture, the decoder reports that.
            try finish()
            return nil
        case 0x00, 0x01, 0xD0...0xD7, 0xFF: return nil
        default:
            let rest = Array(bytes.prefix(18))
            if marker == 0xDA { try add(Array(rest.dropFirst(4))) }
            // FFmpeg obeys such segments. libjpeg has chosen tables and colours before.
            let isLate = marker == 0xDB || marker == 0xFE || (0xE0...0xEF).contains(marker)
            guard !isLate else { throw DecodingFailure(.segmentsBehindScan, .jpeg) }
            // FFmpeg looks for markers inside all other segments.
            if [JPEGTables.huffman, 0xDA, 0xDD].contains(marker) {
                next = position + 2 + Int(rest.bigEndian(at: 2, as: UInt16.self) ?? 0)
            }
            return marker
        }
    }

    /// Adds a scan.
    ///
    /// - Parameter header: the scan's header, from the number of components on.
    /// - Throws: `ambiguousRendering` if, without progressive scans, a component is unknown or has a scan already.
    mutating func add(_ header: [UInt8]) throws(DecodingFailure) {
        guard let count = header.first.map(Int.init), count <= 4, header.count >= 4 + 2 * count else { return }
        let (first, last) = (Int(header[1 + 2 * count]), Int(header[2 + 2 * count]))
        for name in (0..<count).map({ header[1 + 2 * $0] }) {
            if isProgressive {
                guard first <= last, last < 64 else { continue }
                for coefficient in first...last { lacking[name]?[coefficient] = header[3 + 2 * count] & 15 }
            } else {
                guard lacking[name]?[0] == .some(nil) else { throw DecodingFailure(.scanTwice, .jpeg) }
                lacking[name] = Array(repeating: 0, count: 64)
            }
        }
    }

    /// Notes the end of the picture.
    ///
    /// - Throws: `ambiguousRendering` if a part of the picture is missing.
    private mutating func finish() throws(DecodingFailure) {
        hasEnded = true
        guard lacking.values.joined().allSatisfy({ $0 == 0 }) else { throw DecodingFailure(.missingScans, .jpeg) }
    }
}
