// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Finds all image file directories of a TIFF file, including subdirectories, each once.
package enum TIFFDirectories {
    /// - Throws: `tooManyPictures`, `malformed` for a directory that cannot be read.
    package static func all(in file: InputFile) throws(DecodingFailure) -> [TIFFDirectory] {
        let header = try file.bytes(at: 0, count: 16)
        let numbers = TIFFNumbers(header: header)
        var waiting = [numbers.number(header, at: numbers.startPosition, size: numbers.offsetSize)]
        var known: Set<Int> = []
        var directories: [TIFFDirectory] = []
        while let start = waiting.popLast() {
            // A directory that is already known is not read again, so loops end, as in every reader.
            guard known.insert(start).inserted else { continue }
            guard directories.count < mostDirectories else {
                throw DecodingFailure(
                    .tooManyPictures, format: .tiff, value: UInt64(directories.count + 1),
                    bound: UInt64(mostDirectories))
            }
            let directory = try TIFFDirectory(file, numbers, at: start)
            directories.append(directory)
            waiting += directory.below.reversed()
            if let next = directory.next { waiting.append(next) }
        }
        return directories
    }

    /// A bound above the number of directories that scanners and cameras write; programs read different numbers.
    static let mostDirectories = 10_000
}
