// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The schedule of a lane's checks with the known drawings: after 1,000 pictures or ten minutes, whichever comes first.
struct CheckSchedule<Instant: InstantProtocol> where Instant.Duration == Duration {
    private var pictureCount = 0
    private var lastCheck: Instant

    /// - Parameter start: the time of the check after loading, from which the ten minutes count.
    init(checkedAt start: Instant) {
        lastCheck = start
    }

    /// Whether a check is due before the next picture.
    func isDue(at now: Instant) -> Bool {
        pictureCount >= Self.mostPictures || lastCheck.duration(to: now) >= Self.longestTime
    }

    mutating func noteCheck(at now: Instant) {
        pictureCount = 0
        lastCheck = now
    }

    mutating func notePicture() {
        pictureCount += 1
    }

    static var mostPictures: Int { 1000 }
    static var longestTime: Duration { .seconds(600) }
}
