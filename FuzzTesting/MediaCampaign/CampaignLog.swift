// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HelperHost

/// What has become of each mutant, on disk, so that an interrupted campaign goes on where it was.
final class CampaignLog {
    struct Entry: Sendable {
        let index: Int
        let seed: String
        let outcome: String
        let milliseconds: Int
        let faults: [HelperFault]
    }

    private let folder: URL
    private let count: Int
    private let file: FileHandle
    /// Outcomes come in any order; they are written in that of their numbers.
    private var early: [Int: String] = [:]
    private(set) var doneCount: Int
    private var lastReport = ContinuousClock.now

    /// - Throws: where the folder is that of a campaign with other mutants.
    init(folder path: String, count: Int, seed: UInt64) throws {
        folder = URL(fileURLWithPath: path)
        self.count = count
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("kept"), withIntermediateDirectories: true)
        let name = folder.appendingPathComponent("seed")
        if let earlier = try? String(contentsOf: name, encoding: .utf8), earlier != "\(seed)" {
            throw CampaignError.otherCampaign
        }
        try Data("\(seed)".utf8).write(to: name)
        let results = folder.appendingPathComponent("results.tsv")
        let earlier = (try? Data(contentsOf: results)) ?? Data()
        // A line that was cut off is done again.
        let whole = earlier.prefix((earlier.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)
        try Data(whole).write(to: results)
        doneCount = whole.count { $0 == UInt8(ascii: "\n") }
        file = try FileHandle(forWritingTo: results)
        try file.seekToEnd()
    }

    /// Writes an outcome down, and keeps the mutant where it has to be looked at.
    func add(_ entry: Entry, mutant: () -> Data) throws {
        if Self.kept.contains(entry.outcome) || !entry.faults.isEmpty {
            let end = entry.seed.split(separator: ".").last ?? ""
            let name = "\(entry.outcome)-\(entry.index).\(end)"
            try mutant().write(to: folder.appendingPathComponent("kept/\(name)"))
        }
        let faults = entry.faults.map(\.description).joined(separator: ",")
        early[entry.index] = "\(entry.index)\t\(entry.seed)\t\(entry.outcome)\t\(entry.milliseconds)\t\(faults)\n"
        var lines = ""
        while let line = early.removeValue(forKey: doneCount) {
            lines += line
            doneCount += 1
        }
        try file.write(contentsOf: Data(lines.utf8))
        if ContinuousClock.now - lastReport > .seconds(10) {
            lastReport = .now
            print("\(doneCount) of \(count)")
        }
    }

    func finish() throws {
        try file.close()
        print("\(doneCount) of \(count)")
    }

    // Another program must not see the pattern in what is not sensitive; for the others the reason is looked for.
    private static let kept: Set<String> = [
        "notSensitive", "decoderFailed", "timedOut", "internalFailure", "decoderUnavailable",
    ]
}
