// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Compares the indexes of an AVI file with its chunks.
///
/// Some programs read a frame where the index says, and others read chunk after chunk.
///
/// Source: Microsoft, "AVI RIFF File Reference"; OpenDML AVI File Format Extensions, 1.02, section 3.
struct AVIStructure {
    private typealias Name = AVIChunks.Name

    private let file: InputFile
    private let content: AVIChunks
    /// The places of the chunks that the old index names, or nil if there is no old index.
    private var namedByOldIndex: Set<Int>?
    /// The places of the chunks that the indexes of OpenDML name, by the number of the stream.
    private var namedByIndexes: [Int: Set<Int>] = [:]

    /// Whether a part stands in a wrong place or too often, an index names something else than a chunk of the file, or
    /// an index leaves out a chunk.
    ///
    /// - Throws: `unreadable`, `tooManyParts`.
    static func hasDisagreement(_ file: InputFile) throws(DecodingFailure) -> Bool {
        let content = try AVIChunks(file)
        guard !content.areDisorderly else { return true }
        var structure = AVIStructure(file: file, content: content)
        for chunk in content.chunks {
            guard try structure.isPlain(chunk) else { return true }
        }
        return !structure.areAllNamed
    }

    private init(file: InputFile, content: AVIChunks) { (self.file, self.content) = (file, content) }

    /// Whether each stream has an index that names all its chunks, or none.
    ///
    /// Cameras write an old index of one chunk for each stream beside indexes of OpenDML, which programs prefer.
    private var areAllNamed: Bool {
        for (place, chunk) in content.chunks.enumerated() where chunk.isOfStream {
            if let number = AVIChunks.number(of: chunk.name), let named = namedByIndexes[number] {
                guard named.contains(place) else { return false }
            } else if chunk.position < content.secondPart, namedByOldIndex?.contains(place) == false {
                return false
            }
        }
        return true
    }

    /// Whether a chunk is no index, or an index that names chunks of the file.
    private mutating func isPlain(_ chunk: AVIChunks.Chunk) throws(DecodingFailure) -> Bool {
        switch chunk.name {
        case Name.oldIndex:
            let bytes = try bytes(of: chunk)
            // Some programs count from the start of the file, and others from the list of frames.
            namedByOldIndex =
                places(oldIndex: bytes, from: 0) ?? places(oldIndex: bytes, from: content.origin ?? 0)
            return namedByOldIndex != nil
        case let name where name == Name.index || name.firstHalf == Name.partialIndex:
            return try isPlain(index: bytes(of: chunk))
        default: return true
        }
    }

    /// Returns the places of the chunks that an index of AVI 1.0 names, or nil if it names something else.
    ///
    /// - Parameter start: the position from which the index counts.
    private func places(oldIndex bytes: [UInt8], from start: Int) -> Set<Int>? {
        var places: Set<Int> = []
        for entry in stride(from: 0, through: bytes.count - 16, by: 16) {
            let name = UInt32(number(bytes, entry, isBig: true))
            // Some programs list the lists of chunks that are to be read together.
            if name == Name.record { continue }
            let position = start + number(bytes, entry + 8)
            guard position < file.byteCount else { continue }
            guard let place = place(of: name, number(bytes, entry + 12), at: position) else { return nil }
            places.insert(place)
        }
        return places
    }

    /// Whether an index of OpenDML, of chunks or of further indexes, names chunks of its stream.
    private mutating func isPlain(index bytes: [UInt8]) -> Bool {
        guard bytes.count >= Self.indexHeaderSize else { return false }
        let (entrySize, kind, count) = (Int(bytes[0]) * 4, bytes[3], number(bytes, 4))
        // Indexes of chunks have entries of two numbers, of fields three, and of indexes four.
        guard bytes[1] == 0, [[2, 0, 1], [3, 1, 1], [4, 0, 0]].contains([bytes[0], bytes[2], kind]) else {
            return false
        }
        guard count <= (bytes.count - Self.indexHeaderSize) / entrySize else { return false }
        let entries = (0..<count).map { Self.indexHeaderSize + $0 * entrySize }
        if kind == 0 {
            return entries.allSatisfy { entry in
                let position = number(bytes, entry) | (number(bytes, entry + 4) & 0x7FFF_FFFF) << 32
                return position >= file.byteCount
                    || content.place(at: position).map { content.chunks[$0].name.firstHalf } == Name.partialIndex
            }
        }
        let name = UInt32(number(bytes, 8, isBig: true))
        guard let stream = AVIChunks.number(of: name) else { return false }
        let start = number(bytes, 12) | (number(bytes, 16) & 0x3FFF_FFFF) << 32
        for entry in entries {
            let position = start + number(bytes, entry) - AVIChunks.headerSize
            guard position < file.byteCount else { continue }
            guard let place = place(of: name, number(bytes, entry + 4) & 0x7FFF_FFFF, at: position) else {
                return false
            }
            namedByIndexes[stream, default: []].insert(place)
        }
        return true
    }

    /// Returns the place of a chunk of a stream with a name, size and position; nil if there is no such chunk.
    private func place(of name: UInt32, _ byteCount: Int, at position: Int) -> Int? {
        guard let place = content.place(at: position) else { return nil }
        let chunk = content.chunks[place]
        return chunk.isOfStream && chunk.name == name && chunk.byteCount == byteCount ? place : nil
    }

    private func bytes(of chunk: AVIChunks.Chunk) throws(DecodingFailure) -> [UInt8] {
        guard chunk.byteCount <= Self.mostIndexBytes else {
            throw DecodingFailure(.tooManyParts, bound: UInt64(AVIChunks.mostChunks), detail: "entries of an index")
        }
        return try file.bytes(at: chunk.position + AVIChunks.headerSize, count: chunk.byteCount)
    }

    private func number(_ bytes: [UInt8], _ place: Int, isBig: Bool = false) -> Int {
        Int((isBig ? bytes.bigEndian(at: place, as: UInt32.self) : bytes.littleEndian(at: place)) ?? 0)
    }

    private static let indexHeaderSize = 24
    private static let mostIndexBytes = AVIChunks.mostChunks * 16
}
