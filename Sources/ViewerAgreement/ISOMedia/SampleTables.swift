// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The tables that say where the samples of a track lie in an MP4 file.
///
/// Where a table breaks the rules of the standard, programs read different samples by it.
///
/// Source: ISO/IEC 14496-12, sections 8.6.1 and 8.7.
struct SampleTables {
    private let file: InputFile
    private let boxes: [MediaBoxes.Box]

    /// - Parameter boxes: the boxes of a sample table (`stbl`), each kind of table at most once.
    init(_ boxes: [MediaBoxes.Box], in file: InputFile) {
        (self.boxes, self.file) = (boxes, file)
    }

    /// Whether each table is as long as it says, and each sample has one place and one description.
    ///
    /// - Throws: `unreadable`.
    func areConsistent(descriptionCount: Int) throws(DecodingFailure) -> Bool {
        for box in boxes {
            guard try isWhole(box) else { return false }
        }
        guard try !hasNegativeDurations() else { return false }
        guard let chunks = boxes.first(where: { $0.name == "stsc" }) else { return true }
        let bytes = try file.bytes(at: chunks.content.lowerBound, count: min(chunks.content.count, Self.mostBytes))
        // The count may announce more than is read, so it is compared before anything is made of its size.
        let runCount = number(in: bytes, at: 4)
        guard runCount > 0 else { return true }
        guard runCount <= (bytes.count - 8) / 12, number(in: bytes, at: 8) == 1 else { return false }
        let last = 8 + (runCount - 1) * 12
        let chunkCount = try count(in: ["stco", "co64"], at: 4)
        var left = try count(in: ["stsz", "stz2"], at: 8)
        for entry in stride(from: 8, through: last, by: 12) {
            let first = number(in: bytes, at: entry)
            let next = entry == last ? chunkCount + 1 : number(in: bytes, at: entry + 12)
            let samples = number(in: bytes, at: entry + 4)
            guard first < next, samples > 0, samples <= left / (next - first),
                (1...descriptionCount).contains(number(in: bytes, at: entry + 8))
            else { return false }
            left -= (next - first) * samples
        }
        return left == 0
    }

    /// Whether a sample lasts for a time that some programs read as a negative one.
    private func hasNegativeDurations() throws(DecodingFailure) -> Bool {
        guard let box = boxes.first(where: { $0.name == "stts" }) else { return false }
        let bytes = try file.bytes(at: box.content.lowerBound, count: min(box.content.count, Self.mostBytes))
        return stride(from: 12, to: bytes.count - 3, by: 8).contains { bytes[$0] & 0x80 != 0 }
    }

    /// Whether a table holds as many entries as it declares.
    private func isWhole(_ box: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        let bytes = try file.bytes(at: box.content.lowerBound, count: min(12, box.content.count))
        let (bits, start): (Int, Int)
        switch box.name {
        case "stts", "ctts", "co64": (bits, start) = (64, 8)
        case "stsc": (bits, start) = (96, 8)
        case "stco", "stss": (bits, start) = (32, 8)
        case "stsz": (bits, start) = (number(in: bytes, at: 4) == 0 ? 32 : 0, 12)
        case "stz2": (bits, start) = (number(in: bytes, at: 4) & 0xFF, 12)
        default: return true
        }
        return bytes.count >= start && number(in: bytes, at: start - 4) * bits <= (box.content.count - start) * 8
    }

    private func count(in names: Set<String>, at offset: Int) throws(DecodingFailure) -> Int {
        guard let box = boxes.first(where: { names.contains($0.name) }) else { return 0 }
        return number(in: try file.bytes(at: box.content.lowerBound, count: min(12, box.content.count)), at: offset)
    }

    private func number(in bytes: [UInt8], at offset: Int) -> Int {
        Int(bytes.bigEndian(at: offset, as: UInt32.self) ?? 0)
    }

    /// The most bytes of a table of chunks that are read; ten hours with a chunk a frame need fewer.
    private static let mostBytes = 16 << 20
}
