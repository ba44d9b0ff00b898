// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// A `Progress` with descriptions, which Foundation leaves empty on Linux.
final class TimeCodeProgress: Progress, @unchecked Sendable {
    // @unchecked: Progress is thread-safe by its documentation, and the mutex guards the added property.

    private let latest = Mutex<VideoAnalysisProgress.Update?>(nil)

    init(total: Int64) {
        super.init(parent: Progress.current(), userInfo: nil)
        totalUnitCount = total
    }

    func note(_ update: VideoAnalysisProgress.Update) {
        latest.withLock { $0 = update }
    }

    /// The description, for example "Analysing video, 19 %".
    override var localizedDescription: String! {
        get { "Analysing video, \(Int(fractionCompleted * 100)) %" }
        set { _ = newValue }
    }

    /// The position and the length of the video, for example "0:12 of 1:02".
    override var localizedAdditionalDescription: String! {
        get {
            guard let latest = latest.withLock({ $0 }) else { return "" }
            let position = Self.timeCode(latest.position)
            return latest.duration.map { "\(position) of \(Self.timeCode($0))" } ?? position
        }
        set { _ = newValue }
    }

    private static func timeCode(_ moment: Duration) -> String {
        let hours = moment >= .seconds(3600)
        return moment.formatted(.time(pattern: hours ? .hourMinuteSecond : .minuteSecond))
    }
}
