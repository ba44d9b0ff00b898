// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess

/// Finds the inputs one by one: arguments in their order, then names from a list, and the entries of a folder in the
/// order of their names.
///
/// Links that are followed come after all else that is known.
struct InputFinder {
    let paths: [InputPath]
    let isRecursive: Bool
    var filter = SearchFilter()
    /// Whether a name from the list is treated as an entry of a folder, so a file without media is skipped.
    var skipsOtherListedFiles = false
    /// Whether the paths are treated as names from a list.
    var pathsAreListed = false
    /// The output files of this command and the folder for moved files, which a search of a folder leaves out.
    var ownFiles: Set<FileIdentity> = []

    /// Whether a file is in one of the folders that are searched.
    func finds(_ file: FileIdentity) -> Bool {
        let iterator = makeIterator(names: nil)
        while let input = iterator.next() {
            if input.kind == .inFolder, input.path.status(followingLinks: true).map(FileIdentity.init) == file {
                return true
            }
        }
        return false
    }

    /// Returns an iterator over the inputs.
    ///
    /// - Parameter names: the list of further inputs; nil if there is none.
    func makeIterator(names: NameReader?) -> InputIterator { InputIterator(self, names: names) }
}
