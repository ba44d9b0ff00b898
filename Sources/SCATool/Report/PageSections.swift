// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Puts the sections of a page in the order of the inputs, whatever the order in which they come.
///
/// A section that comes early waits in a file, since thousands of them may wait for one slow input.
struct PageSections {
    private let page: OutputFile
    /// The position of the input whose section is next.
    private var next = 0
    /// Where in the file the sections are that wait, by the positions of their inputs.
    private var waiting: [Int: Range<Int>] = [:]
    private var file: NamelessFile?
    private var fileLength = 0

    init(of page: OutputFile) {
        self.page = page
    }

    /// Writes a section and those that have waited for it, or has it wait.
    ///
    /// Where there is no room for one that waits, the command ends as it does where the page cannot be written.
    mutating func add(_ section: String, at position: Int) {
        do throws(NamelessFile.Failure) {
            guard position == next else { return try keep(Array(section.utf8), at: position) }
            page.write(section)
            next += 1
            while let range = waiting.removeValue(forKey: next) {
                if let file, !range.isEmpty { page.write(try file.bytes(in: range)) }
                next += 1
            }
        } catch {
            page.end(error.number)
        }
    }

    private mutating func keep(_ section: [UInt8], at position: Int) throws(NamelessFile.Failure) {
        if file == nil { file = try NamelessFile(inFolder: page.folder) }
        try file?.append(section)
        waiting[position] = fileLength..<fileLength + section.count
        fileLength += section.count
    }
}
