// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The chunks of an AVI file, read one after the other, and whether each stands in its own list.
///
/// Source: Microsoft, "AVI RIFF File Reference"; OpenDML AVI File Format Extensions, 1.02.
struct AVIChunks {
    struct Chunk {
        let position: Int
        let name: UInt32
        let byteCount: Int

        /// Whether the chunk holds frames or sound.
        var isOfStream: Bool { AVIChunks.isStream(name) }
    }

    /// The chunks in the order of the file, without the lists that hold them.
    private(set) var chunks: [Chunk] = []
    /// The position of the name of the first list of frames, from which the positions of the old index count.
    private(set) var origin: Int?
    /// The position of the second part of a large file, or the end of the file; the old index is about the first part.
    private(set) var secondPart: Int
    /// Whether a part stands twice, in another place than its own, or has a form that programs read differently.
    private(set) var areDisorderly = false
    private let file: InputFile
    /// The lists around the next chunk.
    private var lists: [(name: UInt32, end: Int)] = []
    /// The parts that may stand once, since the start of the file or of the headers of a stream.
    private var found: (inFile: Set<UInt32>, inStream: Set<UInt32>) = ([], [])
    /// The kinds of the streams, in the order of their headers.
    private var kinds: [UInt32] = []

    /// - Throws: `unreadable`, `tooManyParts`.
    init(_ file: InputFile) throws(DecodingFailure) {
        self.file = file
        secondPart = file.byteCount
        var position = 0
        while true {
            let head = try file.bytes(at: position, count: Self.headerSize)
            guard let name: UInt32 = head.bigEndian(at: 0), let size: UInt32 = head.littleEndian(at: 4) else { return }
            leaveLists(before: position)
            if name == Name.file || name == Name.list {
                // Lists are entered: their chunks follow the name of the list.
                let kind = try file.bytes(at: position + Self.headerSize, count: Self.nameSize)
                guard let list: UInt32 = kind.bigEndian(at: 0) else { return }
                if name == Name.file, position > 0 { secondPart = min(secondPart, position) }
                enter(list, at: position, byteCount: Int(size), isPart: name == Name.file)
                position += Self.headerSize + Self.nameSize
                continue
            }
            guard chunks.count < Self.mostChunks else {
                throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostChunks), detail: "chunks")
            }
            let chunk = Chunk(position: position, name: name, byteCount: Int(size))
            chunks.append(chunk)
            try check(chunk)
            position += Self.headerSize + Int(size) + Int(size & 1)
        }
    }

    /// Returns the place of the chunk of a stream at a position in the file, or nil if there is none.
    func place(at position: Int) -> Int? {
        let place = chunks.partitioningIndex { $0.position >= position }
        return place < chunks.endIndex && chunks[place].position == position ? place : nil
    }

    // MARK: Lists

    private mutating func leaveLists(before position: Int) {
        while let last = lists.last, last.end <= position {
            // A stream without its headers is counted by some programs only.
            if last.name == Name.stream, !Self.onceInEachStream.isSubset(of: found.inStream) { areDisorderly = true }
            lists.removeLast()
        }
    }

    private mutating func enter(_ list: UInt32, at position: Int, byteCount: Int, isPart: Bool) {
        let parent = isPart ? nil : lists.last?.name
        switch list {
        case Name.headers:
            if !found.inFile.insert(list).inserted || origin != nil { areDisorderly = true }
        case Name.stream:
            found.inStream = []
            if parent != Name.headers { areDisorderly = true }
        case Name.frames: origin = origin ?? position + Self.headerSize
        default: break
        }
        if isPart {
            lists = []
        } else if parent == Name.frames || parent == Name.record, list != Name.record {
            areDisorderly = true
        }
        // A program that writes to a pipe cannot go back to write the size of a list.
        let isOpen = byteCount == 0 || byteCount >= Int(Int32.max)
        let end = isOpen ? Int.max : position + Self.headerSize + byteCount + byteCount & 1
        lists.append((list, end))
    }

    // MARK: Chunks

    private mutating func check(_ chunk: Chunk) throws(DecodingFailure) {
        let (name, list) = (chunk.name, lists.last?.name)
        if Self.onceInFile.contains(name), !found.inFile.insert(name).inserted { areDisorderly = true }
        if Self.onceInStream.contains(name), !found.inStream.insert(name).inserted || list != Name.stream {
            areDisorderly = true
        }
        let isAmongFrames = list == Name.frames || list == Name.record
        if isAmongFrames {
            // Some programs read the number of a stream from any name.
            if !isOfKnownStream(name), name.firstHalf != Name.partialIndex, !Self.fillers.contains(name) {
                areDisorderly = true
            }
        } else if chunk.isOfStream {
            areDisorderly = true
        }
        let content = chunk.position + Self.headerSize
        if name == Name.streamHeader {
            let kind = try file.bytes(at: content, count: min(4, chunk.byteCount)).bigEndian(at: 0) ?? UInt32(0)
            kinds.append(kind)
            // No program has the rest of a cut file.
            if Self.formatSizes[kind] == nil, content + 4 <= file.byteCount { areDisorderly = true }
        } else if name == Name.streamFormat, let kind = kinds.last, chunk.byteCount < Self.formatSizes[kind] ?? 0 {
            areDisorderly = true
        }
    }

    /// Whether a name is that of frames or sound: the number of a stream, and a kind that all programs know.
    static func isStream(_ name: UInt32) -> Bool { number(of: name) != nil && contents[name & 0xFFFF] != nil }

    /// The number of the stream in the name of a chunk.
    static func number(of name: UInt32) -> Int? {
        let (tens, ones) = (Int(name >> 24) - 0x30, Int(name >> 16 & 0xFF) - 0x30)
        return (0...9).contains(tens) && (0...9).contains(ones) ? tens * 10 + ones : nil
    }

    /// Whether a name is that of frames or sound, and of the kind of its stream.
    private func isOfKnownStream(_ name: UInt32) -> Bool {
        guard let number = Self.number(of: name), let allowed = Self.contents[name & 0xFFFF] else { return false }
        return number >= kinds.count || allowed.contains(kinds[number])
    }

    static let headerSize = 8
    private static let nameSize = 4
    /// The most chunks that are read; ten hours of pictures and sound have 1.8 million.
    static let mostChunks = 4_000_000

    /// The names of lists and chunks.
    enum Name {
        static let file: UInt32 = 0x5249_4646  // RIFF
        static let list: UInt32 = 0x4C49_5354  // LIST
        static let headers: UInt32 = 0x6864_726C  // hdrl
        static let stream: UInt32 = 0x7374_726C  // strl
        static let streamHeader: UInt32 = 0x7374_7268  // strh
        static let streamFormat: UInt32 = 0x7374_7266  // strf
        static let frames: UInt32 = 0x6D6F_7669  // movi
        static let record: UInt32 = 0x7265_6320  // rec
        static let oldIndex: UInt32 = 0x6964_7831  // idx1
        static let index: UInt32 = 0x696E_6478  // indx
        static let partialIndex: UInt32 = 0x6978  // ix, and the number of a stream
    }
    private static let (pictures, sound, text, notes, both): (UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x7669_6473, 0x6175_6473, 0x7478_7473, 0x6D69_6473, 0x6961_7673  // vids auds txts mids iavs
    )
    /// The kinds of streams, and the least size of their format: of a bitmap or of sound.
    private static let formatSizes: [UInt32: Int] = [pictures: 40, sound: 14, text: 0, notes: 0, both: 0]
    /// The kinds of chunks, and the kinds of streams that they belong to: dc, db, pc, wb, tx and sb.
    private static let contents: [UInt32: Set<UInt32>] = [
        0x6463: [pictures, both], 0x6462: [pictures, both], 0x7063: [pictures], 0x7762: [sound, both, notes],
        0x7478: [text], 0x7362: [text],
    ]
    private static let onceInFile: Set<UInt32> = [0x6176_6968, Name.oldIndex]  // avih
    private static let onceInEachStream: Set<UInt32> = [Name.streamHeader, Name.streamFormat]
    private static let onceInStream: Set<UInt32> = [
        Name.streamHeader, Name.streamFormat, 0x7374_7264, 0x7374_726E, 0x7670_7270, Name.index,  // strd strn vprp
    ]
    private static let fillers: Set<UInt32> = [0x4A55_4E4B]  // JUNK
}

extension UInt32 {
    /// The first two characters of a name of four.
    var firstHalf: UInt32 { self >> 16 }
}
