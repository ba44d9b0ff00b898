// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The times of frames of a device, by the clock of its driver as long as that agrees with the arrival of frames.
struct CaptureClock {
    private var start: (arrival: ContinuousClock.Instant, moment: Duration?)?
    private var last = Duration.zero

    /// Returns the time since the first frame, which never goes back.
    ///
    /// - Parameters:
    ///   - moment: the time that the driver states; nil if it states none.
    ///   - arrival: the time at which the frame arrived.
    mutating func moment(of moment: Duration?, at arrival: ContinuousClock.Instant) -> Duration {
        let start = start ?? (arrival, moment)
        self.start = start
        let elapsed = start.arrival.duration(to: arrival)
        var result = elapsed
        if let moment, let first = start.moment {
            let stated = moment - first
            let isNear = stated >= elapsed - Self.largestError && stated <= elapsed + Self.largestError
            if isNear { result = stated }
        }
        last = max(last, result)
        return last
    }

    private static let largestError = Duration.seconds(1)
}
