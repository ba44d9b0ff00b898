// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Compares the indexes of an AVI file with its chunks, and counts the headers of its streams.
///
/// Some programs read a frame where the index says, and others read chunk after chunk.
///
/// Source: Microsoft, "AVI RIFF File Reference"; OpenDML AVI File Format Extensions, 1.02, section 3.
struct AVIStructure {
    /// A piece of data that the file holds or that an index names.
    private struct Chunk: Equatable {
        let position: Int
        let name: UInt32
        let byteCount: Int
    }

    private let file: InputFile
    private var chunks: [Chunk] = []
    /// The position of the name of the first list of frames, from which the positions of the old index count.
    private var origin: Int?
    /// Whether a part stands twice, or in another place than its own.
    private var isDisorderly = false

    /// Whether a header or an index stands too often, or an index names something else than a chunk of the file.
    ///
    /// - Throws: `unreadable`, `tooManyParts`.
    static func hasDisagreement(_ file: InputFile) throws(DecodingFailure) -> Bool {
        var structure = AVIStructure(file: file)
        try structure.readChunks()
        guard !structure.isDisorderly else { return true }
        for chunk in structure.chunks {
            guard try structure.isPlain(chunk) else { return true }
        }
        return false
    }

    private init(file: InputFile) { self.file = file }

    private mutating func readChunks() throws(DecodingFailure) {
        var position = 0
        // The parts that may stand once, since the start of the file or of the headers of a stream.
        var found: (inFile: Set<UInt32>, inStream: Set<UInt32>) = ([], [])
        // The list that was entered last.
        var latest: UInt32 = 0
        while true {
            let head = try file.bytes(at: position, count: Self.headerSize)
            guard let name: UInt32 = head.bigEndian(at: 0), let size: UInt32 = head.littleEndian(at: 4) else { return }
            if name == Name.file || name == Name.list {
                // Lists are entered: their chunks follow the name of the list.
                let kind = try file.bytes(at: position + Self.headerSize, count: Self.nameSize)
                guard let list: UInt32 = kind.bigEndian(at: 0) else { return }
                if latest == Name.stream, !Self.onceInEachStream.isSubset(of: found.inStream) { isDisorderly = true }
                if list == Name.stream {
                    found.inStream = []
                    if origin != nil { isDisorderly = true }
                }
                latest = list
                if list == Name.headers, !found.inFile.insert(list).inserted { isDisorderly = true }
                if list == Name.frames { origin = origin ?? position + Self.headerSize }
                position += Self.headerSize + Self.nameSize
                continue
            }
            if Self.onceInFile.contains(name), !found.inFile.insert(name).inserted { isDisorderly = true }
            if Self.onceInStream.contains(name), !found.inStream.insert(name).inserted { isDisorderly = true }
            // Some programs count a stream wherever its header stands, or take frames from before their list.
            if Self.onceInStream.contains(name), latest != Name.stream { isDisorderly = true }
            if Self.isStream(name), origin == nil { isDisorderly = true }
            guard chunks.count < Self.mostChunks else {
                throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostChunks), detail: "chunks")
            }
            chunks.append(Chunk(position: position, name: name, byteCount: Int(size)))
            position += Self.headerSize + Int(size) + Int(size & 1)
        }
    }

    /// Whether a chunk is no index, or an index that names chunks of the file.
    private func isPlain(_ chunk: Chunk) throws(DecodingFailure) -> Bool {
        switch chunk.name {
        case Name.oldIndex: return try isPlain(oldIndex: bytes(of: chunk))
        case let name where name == Name.index || name.partial == Name.partialIndex:
            return try isPlain(index: bytes(of: chunk))
        default: return true
        }
    }

    /// Whether an index of AVI 1.0 names chunks, from the start of the file or of the list of frames.
    private func isPlain(oldIndex bytes: [UInt8]) -> Bool {
        [0, origin ?? 0].contains { start in
            stride(from: 0, through: bytes.count - 16, by: 16).allSatisfy { entry in
                let (name, position, size) = (
                    number(bytes, entry, isBig: true), number(bytes, entry + 8), number(bytes, entry + 12)
                )
                // Some programs list the lists of chunks that are to be read together.
                return UInt32(name) == Name.record || holds(UInt32(name), size, at: start + position)
            }
        }
    }

    /// Whether an index of OpenDML, of chunks or of further indexes, names chunks of its stream.
    private func isPlain(index bytes: [UInt8]) -> Bool {
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
                return position >= file.byteCount || chunk(at: position)?.name.partial == Name.partialIndex
            }
        }
        let name = UInt32(number(bytes, 8, isBig: true))
        let start = number(bytes, 12) | (number(bytes, 16) & 0x3FFF_FFFF) << 32
        return entries.allSatisfy { entry in
            let size = number(bytes, entry + 4) & 0x7FFF_FFFF
            return holds(name, size, at: start + number(bytes, entry) - Self.headerSize)
        }
    }

    /// Whether a name is that of frames or sound: the number of a stream, and a kind that all programs know.
    private static func isStream(_ name: UInt32) -> Bool {
        let digits: ClosedRange<UInt32> = 0x30...0x39
        return digits.contains(name >> 24) && digits.contains(name >> 16 & 0xFF) && kinds.contains(name & 0xFFFF)
    }

    /// Whether a chunk of a stream lies at a position, or the position is behind the end of a cut file.
    private func holds(_ name: UInt32, _ byteCount: Int, at position: Int) -> Bool {
        position >= file.byteCount
            || Self.isStream(name) && chunk(at: position) == Chunk(position: position, name: name, byteCount: byteCount)
    }

    private func chunk(at position: Int) -> Chunk? {
        let place = chunks.partitioningIndex { $0.position >= position }
        return place < chunks.endIndex && chunks[place].position == position ? chunks[place] : nil
    }

    private func bytes(of chunk: Chunk) throws(DecodingFailure) -> [UInt8] {
        guard chunk.byteCount <= Self.mostIndexBytes else {
            throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostChunks), detail: "entries of an index")
        }
        return try file.bytes(at: chunk.position + Self.headerSize, count: chunk.byteCount)
    }

    private func number(_ bytes: [UInt8], _ place: Int, isBig: Bool = false) -> Int {
        Int((isBig ? bytes.bigEndian(at: place, as: UInt32.self) : bytes.littleEndian(at: place)) ?? 0)
    }

    private static let headerSize = 8
    private static let nameSize = 4
    private static let indexHeaderSize = 24
    /// The most chunks that are read; ten hours of pictures and sound have 1.8 million.
    private static let mostChunks = 4_000_000
    private static let mostIndexBytes = mostChunks * 16

    /// The names of lists and chunks.
    private enum Name {
        static let file: UInt32 = 0x5249_4646  // RIFF
        static let list: UInt32 = 0x4C49_5354  // LIST
        static let headers: UInt32 = 0x6864_726C  // hdrl
        static let stream: UInt32 = 0x7374_726C  // strl
        static let frames: UInt32 = 0x6D6F_7669  // movi
        static let record: UInt32 = 0x7265_6320  // rec
        static let oldIndex: UInt32 = 0x6964_7831  // idx1
        static let index: UInt32 = 0x696E_6478  // indx
        static let partialIndex: UInt32 = 0x6978  // ix, and the number of a stream
    }
    /// dc, db, wb, tx, pc and sb.
    private static let kinds: Set<UInt32> = [0x6463, 0x6462, 0x7762, 0x7478, 0x7063, 0x7362]
    private static let onceInFile: Set<UInt32> = [0x6176_6968, Name.oldIndex]  // avih
    private static let onceInEachStream: Set<UInt32> = [0x7374_7268, 0x7374_7266]  // strh strf
    private static let onceInStream: Set<UInt32> = [
        0x7374_7268, 0x7374_7266, 0x7374_7264, 0x7374_726E, 0x7670_7270, Name.index,  // strh strf strd strn vprp
    ]
}

extension UInt32 {
    /// The first two characters of a name of four.
    fileprivate var partial: UInt32 { self >> 16 }
}
