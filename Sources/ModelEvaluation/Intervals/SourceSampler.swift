// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Draws the sources of judged files again and again, as if other sets had been collected.
///
/// All files of a source are drawn together, because they resemble each other. Sources with sensitive files, with
/// harmless files and with both are drawn apart, so that each drawn set has about the same mixture as the real one.
struct SourceSampler: Sendable {
    /// The judged files in the order of their sources.
    private let members: [Int]
    /// The first member of each source, and the end of the last source.
    private let starts: [Int]
    /// The sources of each stratum.
    private let strata: [Range<Int>]
    /// The numbers of sources with sensitive and with harmless files.
    let positiveSources: Int
    let negativeSources: Int

    /// - Parameter files: the judged files.
    init(_ files: [LabelledScore]) {
        var groups: [String: [Int]] = [:]
        var single: [[Int]] = []
        for (index, file) in files.enumerated() {
            if let source = file.source { groups[source, default: []].append(index) } else { single.append([index]) }
        }
        // The order of a dictionary differs between runs, and the same seed must draw the same files.
        let sources = single + groups.values.sorted { $0[0] < $1[0] }
        func stratum(_ source: [Int]) -> Int {
            let positives = source.count { files[$0].isPositive }
            return positives == source.count ? 0 : positives == 0 ? 1 : 2
        }
        let ordered = (0...2).map { kind in sources.filter { stratum($0) == kind } }
        members = ordered.joined().flatMap { $0 }
        var starts = [0]
        for source in ordered.joined() { starts.append(starts[starts.count - 1] + source.count) }
        self.starts = starts
        var strata: [Range<Int>] = []
        for kind in ordered {
            let start = strata.last?.upperBound ?? 0
            strata.append(start..<start + kind.count)
        }
        self.strata = strata
        positiveSources = ordered[0].count + ordered[2].count
        negativeSources = ordered[1].count + ordered[2].count
    }

    /// Draws as many sources of each stratum as there are, and sets how many times each judged file was drawn.
    func draw(_ times: inout [Int], using generator: inout SplitMix64) {
        for index in times.indices { times[index] = 0 }
        for stratum in strata {
            for _ in stratum {
                let source = stratum.lowerBound + generator.next(below: stratum.count)
                for member in starts[source]..<starts[source + 1] { times[members[member]] += 1 }
            }
        }
    }
}
