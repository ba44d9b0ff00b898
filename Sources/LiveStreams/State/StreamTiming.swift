// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The bounds of time for streams.
package struct StreamTiming: Sendable, Hashable {
    /// The time within which a changed frame has to be analysed.
    package var changeDeadline = Duration.milliseconds(150)
    /// The same for a frame that the gate cannot release by the last judged frame, or that shows something else.
    package var largeChangeDeadline = Duration.milliseconds(10)
    /// The time between analyses of a stream that does not change.
    package var routineInterval = Duration.milliseconds(500)
    /// The time before the end of a routine interval from which on the analysis may begin.
    package var routineLead = Duration.milliseconds(100)
    /// The least time between the beginnings of analyses of small changes, in streams without a gate.
    package var changeInterval = Duration.milliseconds(60)
    /// The time without a judgement after which a stream is unknown.
    package var patience = Duration.seconds(1)
    /// The time without lateness after which a late stream is judged, so that the status does not alternate.
    ///
    /// It is shorter than a second, because a stream is judged again within a second after an overload.
    package var recovery = Duration.milliseconds(500)
    /// The time for which a suspicion lasts before it is a finding, if no other frame is analysed.
    package var confirmation = Duration.seconds(1)
    /// The least time for which frames stay covered after a finding, so that the picture does not flicker.
    package var hold = Duration.seconds(2)
    /// The time without a finding after which a person's decision to see the content ends.
    package var acceptance = Duration.seconds(2)
    /// The time before the next attempt after a failed analysis.
    package var retry = Duration.milliseconds(250)

    /// The time after which a shot is looked at a second time again; nil for a stream without second looks.
    package var secondLookInterval: Duration?

    package init(secondLookInterval: Duration? = nil) {
        self.secondLookInterval = secondLookInterval
    }

    /// The interval of second looks in streams of apps.
    package static let ordinarySecondLookInterval = Duration.seconds(2)
}
