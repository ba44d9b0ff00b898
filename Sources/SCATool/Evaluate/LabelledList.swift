// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import Foundation
internal import SwiftCSV

/// A list of labelled files, in comma-separated values with a heading or in JSON lines.
enum LabelledList {
    struct Row: Sendable {
        var path: String
        var label: String
        var slices: [String] = []
        var source: String?
        /// The score of the row; nil if the list has no scores.
        var score: GivenScore?
        /// The score of another model or program; nil if the list has none.
        var against: GivenScore?
    }

    static let largestByteCount = 256 << 20

    /// Reads the rows of a list.
    ///
    /// - Throws: `CommandFailure` with the row that is at fault.
    static func rows(of path: InputPath) throws(CommandFailure) -> [Row] {
        let shown = TerminalText.printable(path.text)
        let text = try text(of: path, shown)
        let first = text.unicodeScalars.first { !" \t\r\n\u{FEFF}".unicodeScalars.contains($0) }
        return first == "{" ? try jsonRows(text, shown) : try valueRows(text, shown)
    }

    private static func valueRows(_ text: String, _ shown: String) throws(CommandFailure) -> [Row] {
        // The package takes everything after an open quote for one value.
        guard text.utf8.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) else {
            throw .usage("\(shown) has a value whose quote does not end. Write a quote inside a value twice.")
        }
        let table: CSV<Enumerated>
        do {
            // A grapheme of CR and LF is one line end for the package. It keeps a mark of the byte order as a letter.
            table = try CSV<Enumerated>(
                string: text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text, delimiter: .comma)
        } catch {
            throw .usage("\(shown) is no list of comma-separated values: \(error).")
        }
        let columns = Dictionary(
            table.header.enumerated().map { ($1.trimmingCharacters(in: .whitespaces).lowercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        guard columns["path"] != nil, columns["label"] != nil else {
            throw .usage(
                "The first line of \(shown) must name the columns path and label; slice, source and score may follow.")
        }
        var rows: [Row] = []
        for (index, values) in table.rows.enumerated() {
            guard !values.allSatisfy(\.isEmpty) else { continue }
            // The package leaves out an empty last value.
            guard values.count <= table.header.count else {
                throw .usage("Row \(index + 2) of \(shown) has more values than columns. Quote values with commas.")
            }
            func value(_ column: String) -> String? {
                columns[column].flatMap { $0 < values.count ? values[$0] : "" }
            }
            let place = "Row \(index + 2) of \(shown)"
            rows.append(
                try row(
                    path: value("path"), label: value("label"), slice: value("slice"), source: value("source"),
                    score: try value("score").map { text throws(CommandFailure) in try score(text, place) },
                    against: try value("against").map { text throws(CommandFailure) in try score(text, place) }, place))
        }
        return rows
    }

    private struct Line: Decodable {
        let path: String?
        let label: String?
        let slice: String?
        let source: String?
        let score: Double?
        let against: Double?
    }

    private static func jsonRows(_ text: String, _ shown: String) throws(CommandFailure) -> [Row] {
        var rows: [Row] = []
        for (index, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }
        ).enumerated() {
            guard !line.allSatisfy(\.isWhitespace) else { continue }
            let data = Data(line.utf8)
            guard let object = try? JSONDecoder().decode(Line.self, from: data) else {
                throw .usage("Line \(index + 1) of \(shown) is no JSON object with the texts path and label.")
            }
            let place = "Line \(index + 1) of \(shown)"
            // A score of null is an unknown file, and no score asks for the file to be judged.
            let members = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
            func given(_ name: String, _ value: Double?) throws(CommandFailure) -> GivenScore? {
                members[name] == nil ? nil : try score(value.map { "\($0)" } ?? "", place)
            }
            rows.append(
                try row(
                    path: object.path, label: object.label, slice: object.slice, source: object.source,
                    score: try given("score", object.score), against: try given("against", object.against), place))
        }
        return rows
    }

    private static func row(
        path: String?, label: String?, slice: String?, source: String?, score: GivenScore?, against: GivenScore?,
        _ place: String
    ) throws(CommandFailure) -> Row {
        guard let path, !path.isEmpty, !path.utf8.contains(0) else { throw .usage("\(place) has no path.") }
        guard let label, !label.isEmpty else { throw .usage("\(place) has no label.") }
        let slices = (slice ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        return Row(
            path: path, label: label, slices: slices.filter { !$0.isEmpty },
            source: source.flatMap { $0.isEmpty ? nil : $0 }, score: score, against: against)
    }

    private static func score(_ text: String, _ place: String) throws(CommandFailure) -> GivenScore {
        guard let score = GivenScore(text) else { throw .usage("\(place) has a score that is not from 0 to 1.") }
        return score
    }

    private static func text(of path: InputPath, _ shown: String) throws(CommandFailure) -> String {
        var bytes: [UInt8] = []
        do throws(AnalysisFailure) {
            let file = try unsafe path.withCString { path throws(AnalysisFailure) in
                unsafe try OwnedDescriptor.openRegularFile(at: path)
            }
            guard (FileState(file)?.byteCount ?? 0) <= largestByteCount else {
                throw AnalysisFailure(.limitExceeded, "It has more than 256 MiB. Divide it.")
            }
            let count = file.readPieces { piece in
                if bytes.count <= largestByteCount { unsafe bytes.append(contentsOf: piece) }
            }
            guard count != nil else { throw AnalysisFailure(.inputUnreadable, "It cannot be read to its end.") }
        } catch {
            throw CommandFailure(
                "The list \(shown) cannot be read. \(error.message)", exitCode: CommandFailure.noInputCode)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("The list \(shown) is not UTF-8 text. Convert it.")
        }
        return text
    }
}
