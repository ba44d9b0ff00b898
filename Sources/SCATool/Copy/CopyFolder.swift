// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import HelperHost
internal import HelperProtocol
internal import Synchronization

/// Writes copies of harmless files into a folder; it never replaces a file.
struct CopyFolder: Sendable {
    /// The folder as the person named it.
    let folder: String
    /// The longest edge of a copy in pixels; nil for the full size.
    let maximumEdge: Int?
    /// Whether copies are only named and not written.
    let isRehearsal: Bool
    private let rehearsal = Rehearsal()

    init(folder: String, maximumEdge: Int?, isRehearsal: Bool) {
        (self.folder, self.maximumEdge, self.isRehearsal) = (folder, maximumEdge, isRehearsal)
    }

    /// Makes the folder, unless it exists or copies are not written.
    ///
    /// - Throws: `CommandFailure` if the folder cannot be made or written to.
    func prepare() throws(CommandFailure) {
        try OutputFolder.make(folder, for: "--copy-to", isRehearsal: isRehearsal)
    }

    /// The identity of the folder; nil if it does not exist.
    var identity: FileIdentity? { FileIdentity(path: folder) }

    /// Writes the copy of a file, under the name of the file with the ending of the copy's format.
    ///
    /// - Returns: nil if there is no copy, because the file is sensitive.
    func write(_ copy: JudgedCopy, of input: FoundInput) -> Placement? {
        guard let file = copy.file, !copy.analysis.isSensitive else { return nil }
        let names = NumberedNames(input.nameForFile, ending: copy.format.ending)
        guard !isRehearsal else {
            guard let name = rehearsal.take(names, in: folder) else {
                return Placement(.copy, .failed(OutputFolder.noFreeName))
            }
            return Placement(.copy, .planned(place(name)), isDamaged: copy.isDamaged)
        }
        do {
            let written = try unsafe file.withBytes { bytes in
                try unsafe OutputFolder.write(bytes, in: folder, names)
            }
            return Placement(.copy, .done(place(written)), isDamaged: copy.isDamaged)
        } catch {
            return Placement(.copy, .failed((error as? AnalysisFailure)?.message ?? "\(error)"))
        }
    }

    private func place(_ name: InputPath) -> InputPath { InputPath(folder).appending(name) }

    /// The names that a rehearsal has given.
    private final class Rehearsal: Sendable {
        private let taken = Mutex<Set<InputPath>>([])

        /// Returns the first name, nil if there is none, that neither the folder nor an earlier copy has.
        func take(_ names: NumberedNames, in folder: String) -> InputPath? {
            taken.withLock { taken in
                let free = names.first { name in
                    InputPath(folder).appending(name).status(followingLinks: false) == nil && !taken.contains(name)
                }
                if let free { taken.insert(free) }
                return free
            }
        }
    }
}

extension CopyEncoding.Format {
    /// The ending of the names of files of the format.
    var ending: String {
        switch self {
        case .png, .webp, .mp4: rawValue
        case .jpeg: "jpg"
        }
    }
}
