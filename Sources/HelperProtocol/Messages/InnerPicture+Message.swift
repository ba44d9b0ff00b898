// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

extension UnitRectangle {
    func write(to writer: inout ByteWriter) {
        for edge in [left, top, right, bottom] { writer.write(edge.bitPattern) }
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        func edge() throws(MessageError) -> Float { Float(bitPattern: try reader.read()) }
        self.init(left: try edge(), top: try edge(), right: try edge(), bottom: try edge())
    }
}

extension InnerPicture {
    func write(to writer: inout ByteWriter) {
        rectangle.write(to: &writer)
        for list in [scores, mapScores] {
            writer.write(UInt8(clamping: list.count))
            for score in list { writer.write(score.bitPattern) }
        }
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        let rectangle = try UnitRectangle(from: &reader)
        guard rectangle.isValid else { throw .valueOutOfRange }
        var lists: [[Float]] = []
        for _ in 0..<2 {
            let count = Int(try reader.read(UInt8.self))
            guard count <= ModelSetup.maximumOutputCount else { throw .valueOutOfRange }
            var list: [Float] = []
            for _ in 0..<count { list.append(Float(bitPattern: try reader.read())) }
            lists.append(list)
        }
        self.init(rectangle: rectangle, scores: lists[0], mapScores: lists[1])
    }
}

extension InnerPictureSearch {
    /// Writes a search, or none.
    static func write(_ search: InnerPictureSearch?, to writer: inout ByteWriter) {
        writer.write(UInt8(search == nil ? 0 : 1))
        guard let search else { return }
        writer.write(search.warmth.bitPattern)
        writer.write(UInt8(clamping: search.count))
    }

    static func read(from reader: inout ByteReader) throws(MessageError) -> InnerPictureSearch? {
        guard try reader.readFlag() else { return nil }
        let search = InnerPictureSearch(
            warmth: Float(bitPattern: try reader.read()), count: Int(try reader.read(UInt8.self)))
        guard search.warmth >= 0, search.warmth <= 1, search.count <= mostInnerPictures else { throw .valueOutOfRange }
        return search
    }
}
