// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisEngine

/// Collects the entries of a page by verdict, each in the order of the inputs, and writes the page at the end.
///
/// The entries wait in temporary files, because the totals come first, and a run may have any number of files.
struct PageSections: Sendable {
    private let page: OutputFile
    /// The position of the input whose entry is next.
    private var next = 0
    /// The entries that wait for an earlier input, by the positions of their inputs; nil for an input without an entry.
    private var waiting: [Int: Entry?] = [:]
    private var early: SpoolFile?
    private var sections: [Verdict: SpoolFile] = [:]
    /// The errno value of the first failure to store an entry; nil if there was none.
    private var failure: Int32?

    /// An entry that waits, in a range of bytes of the temporary file.
    private struct Entry: Sendable {
        let verdict: Verdict
        let range: Range<Int>
    }

    init(of page: OutputFile) {
        self.page = page
    }

    /// Stores the entry of an input; nil for an input that is not listed.
    ///
    /// If there is no room to store an entry, no further entry is stored, and `finish` ends the command. The results on
    /// standard output must not be lost for the page.
    mutating func add(_ outcome: AnalysisOutcome?, at position: Int) {
        guard failure == nil else { return }
        do throws(NamelessFile.Failure) {
            let text = outcome.flatMap { outcome in outcome.verdict.map { ($0, ReportEntry.text(outcome)) } }
            guard position == next else {
                let entry: Entry? = if let (verdict, text) = text { try keep(verdict, text) } else { nil }
                waiting[position] = .some(entry)
                return
            }
            if let (verdict, text) = text { try append(Array(text.utf8), to: verdict) }
            next += 1
            while let entry = waiting.removeValue(forKey: next) {
                if let entry, let early { try append(try early.bytes(in: entry.range), to: entry.verdict) }
                next += 1
            }
        } catch {
            failure = error.number
        }
    }

    /// Writes the page, or ends the command if an entry could not be stored.
    mutating func finish(_ counts: AnalysisCounts) {
        if let failure { page.end(failure) }
        page.write(ReportPage.head(counts))
        for verdict in Verdict.allCases {
            guard let section = sections[verdict] else { continue }
            page.write(ReportPage.sectionHead(verdict))
            do throws(NamelessFile.Failure) {
                try section.copy(to: page)
            } catch {
                page.end(error.number)
            }
            page.write(ReportPage.sectionFoot)
        }
        page.write(ReportPage.foot)
    }

    private mutating func keep(_ verdict: Verdict, _ text: String) throws(NamelessFile.Failure) -> Entry {
        var file = if let early { early } else { try SpoolFile(inFolder: page.folder) }
        let range = try file.append(Array(text.utf8))
        early = file
        return Entry(verdict: verdict, range: range)
    }

    private mutating func append(_ entry: [UInt8], to verdict: Verdict) throws(NamelessFile.Failure) {
        var file = if let section = sections[verdict] { section } else { try SpoolFile(inFolder: page.folder) }
        try file.append(entry)
        sections[verdict] = file
    }
}

/// A temporary file that is written once from start to end, and then read.
private struct SpoolFile: Sendable {
    private let file: NamelessFile
    private var length = 0

    init(inFolder folder: String) throws(NamelessFile.Failure) {
        file = try NamelessFile(inFolder: folder)
    }

    @discardableResult
    mutating func append(_ bytes: [UInt8]) throws(NamelessFile.Failure) -> Range<Int> {
        try file.append(bytes)
        defer { length += bytes.count }
        return length..<length + bytes.count
    }

    func bytes(in range: Range<Int>) throws(NamelessFile.Failure) -> [UInt8] { try file.bytes(in: range) }

    func copy(to page: OutputFile) throws(NamelessFile.Failure) {
        for start in stride(from: 0, to: length, by: Self.pieceSize) {
            page.write(try file.bytes(in: start..<min(length, start + Self.pieceSize)))
        }
    }

    private static let pieceSize = 1 << 20
}
