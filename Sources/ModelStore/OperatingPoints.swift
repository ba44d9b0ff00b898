// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// How often a model found sensitive files and gave false alarms on some data, with its origin.
package struct OperatingPoints: Sendable, Hashable, Codable {
    /// The data in words: the kinds of files, and the origin of their labels.
    package var data: String
    /// The day of the count or of its publication, as year, month and day.
    package var date: String
    /// The author of the count, and the place of its publication.
    package var source: String
    package var origin: Origin
    /// The number of files that are labelled as sensitive; nil if the data has none.
    package var sensitiveCount: Int?
    /// The number of files that are labelled as harmless; nil if the data has none.
    package var harmlessCount: Int?
    /// A limit of the figures, such as a threshold that was fitted on the same data; nil for none.
    package var caveat: String?
    package var points: [Point]

    /// The relation of the count to this project.
    package enum Origin: String, Sendable, Hashable, Codable {
        /// Others have published the rates.
        case reported
        /// The rates were counted with this project.
        case counted
    }

    /// The rates at a threshold.
    package struct Point: Sendable, Hashable, Codable {
        package var threshold: Double
        /// The share of the sensitive files that are found; nil without such files.
        package var sensitivity: Double?
        /// The share of the harmless files that are called sensitive; nil without such files.
        package var falseAlarmRate: Double?
    }

    /// The first fault in words; nil if there is none.
    var fault: String? {
        let shares = points.flatMap { [$0.threshold, $0.sensitivity, $0.falseAlarmRate].compactMap { $0 } }
        guard (1...1000).contains(points.count), shares.allSatisfy({ (0...1).contains($0) }) else {
            return "operatingPoints must have 1 to 1000 points with shares from 0 to 1"
        }
        guard [sensitiveCount, harmlessCount].allSatisfy({ $0.map { (1...1_000_000_000).contains($0) } ?? true }) else {
            return "operatingPoints must have counts above 0"
        }
        let hasCounts = points.allSatisfy { point in
            (point.sensitivity == nil || sensitiveCount != nil) && (point.falseAlarmRate == nil || harmlessCount != nil)
        }
        return hasCounts ? nil : "operatingPoints must have the count of each label with a rate"
    }
}
