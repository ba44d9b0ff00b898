// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The constant rate of an output, and the number of times that each frame is written so that the output keeps its time.
///
/// The frames of many live streams come at changing distances, and a Y4M stream has no times.
struct ConstantRate {
    /// The rate as Y4M writes it, such as "30:1"; nil until it is known.
    private(set) var text: String?
    /// The time between two frames of the output.
    private var interval = Duration.zero
    /// The moments of the first frames of a stream whose rate is unknown.
    private var moments: [Duration] = []
    /// The number of the next frame of the output.
    private var position: Int?

    /// Sets the rate of a stream that states it.
    mutating func set(_ text: String, interval: Duration) { (self.text, self.interval) = (text, interval) }

    /// Notes the moment of a frame that is still in the gate.
    mutating func note(_ moment: Duration) {
        guard text == nil, moments.count < Self.mostMoments else { return }
        moments.append(moment)
    }

    /// Finds the rate by the frames that were noted: whole, or whole by 1.001 as for television, if it is close to that.
    mutating func find() {
        guard text == nil else { return }
        defer { moments = [] }
        let steps = zip(moments, moments.dropFirst()).map { $1 - $0 }.filter { $0 > .zero }.sorted()
        // Frames that were lost leave steps that say nothing about the rate.
        let usual = steps.filter { $0 <= steps[steps.count / 2] * 1.5 }
        let mean = usual.isEmpty ? Self.assumedInterval : usual.reduce(.zero, +) / usual.count
        let rate = max(1, min(Self.highestRate, .seconds(1) / mean))
        let (distance, distanceByTelevision) = (
            abs(rate - rate.rounded()), abs(rate * 1.001 - (rate * 1.001).rounded())
        )
        // A rate that is far from both, such as 12.5, is kept as it is.
        guard min(distance, distanceByTelevision) < Self.mostDistance * rate else {
            let microseconds = max(1, Int(mean / .microseconds(1)))
            return set("1000000:\(microseconds)", interval: .microseconds(microseconds))
        }
        // Times in milliseconds do not tell one from the other.
        let isOfTelevision = distanceByTelevision < 0.002 && distance > 0.01
        let number = Int((isOfTelevision ? rate * 1.001 : rate).rounded())
        set(
            isOfTelevision ? "\(number * 1000):1001" : "\(number):1",
            interval: .seconds(isOfTelevision ? 1.001 : 1) / number)
    }

    /// Returns how often a frame is written: 0 for one that comes too soon, and more than once behind a gap.
    mutating func copyCount(of moment: Duration) -> Int {
        let place = Int((moment / interval).rounded())
        let next = position ?? place
        // The times of an output never go back.
        guard place >= next else { return 0 }
        position = place + 1
        return place - next + 1
    }

    private static let mostMoments = 64
    /// The distance from a whole rate that times in milliseconds and lost frames cause, as a share of the rate.
    private static let mostDistance = 0.015
    private static let highestRate = 120.0
    private static let assumedInterval = Duration.seconds(1) / 30
}
