// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Writes the sections of a page in the order of the inputs, independent of the order in which they are added.
///
/// An early section waits in a temporary file, because thousands of sections may wait for one slow input.
struct PageSections {
    private let page: OutputFile
    /// The position of the input whose section is written next.
    private var next = 0
    /// The byte ranges of the waiting sections in the temporary file, by the positions of their inputs.
    private var waiting: [Int: Range<Int>] = [:]
    private var file: NamelessFile?
    private var fileLength = 0

    init(of page: OutputFile) {
        self.page = page
    }

    /// Writes a section and the sections that have waited for it, or stores the section.
    ///
    /// If there is no room to store a section, the command ends, as it does if the page cannot be written.
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
