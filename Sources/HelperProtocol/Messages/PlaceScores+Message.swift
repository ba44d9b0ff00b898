// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

extension PlaceScores {
    /// Writes the scores, or none.
    static func write(_ scores: PlaceScores?, to writer: inout ByteWriter) {
        writer.write(UInt8(scores == nil ? 0 : 1))
        guard let scores else { return }
        scores.rectangle.write(to: &writer)
        writer.write(UInt8(clamping: scores.rows))
        writer.write(UInt8(clamping: scores.columns))
        for score in scores.scores { writer.write(score.bitPattern) }
    }

    static func read(from reader: inout ByteReader) throws(MessageError) -> PlaceScores? {
        guard try reader.readFlag() else { return nil }
        let rectangle = try UnitRectangle(from: &reader)
        let (rows, columns) = (Int(try reader.read(UInt8.self)), Int(try reader.read(UInt8.self)))
        guard rows <= longestSide, columns <= longestSide else { throw .valueOutOfRange }
        var list: [Float] = []
        for _ in 0..<(rows * columns) { list.append(Float(bitPattern: try reader.read())) }
        guard let scores = PlaceScores(rectangle: rectangle, rows: rows, columns: columns, scores: list) else {
            throw .valueOutOfRange
        }
        return scores
    }
}
