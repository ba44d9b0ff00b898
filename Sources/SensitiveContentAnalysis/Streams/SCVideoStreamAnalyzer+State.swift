// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension SCVideoStreamAnalyzer {
    /// The certainty about a stream at a moment.
    ///
    /// Not in Apple's framework, whose sequence has no value for frames that were not judged in time.
    public struct State: Sendable {
        /// The certainty about the newest frames.
        public let kind: Kind
        /// The time since the arrival of the newest judged frame; nil if no frame was judged under the policy in force.
        public let timeSinceJudgedFrame: Duration?
        /// The policy under which the frames were judged; nil before the first frame.
        package let policy: SCSensitivityAnalysisPolicy?

        /// The certainty about the newest frames; cover the stream unless it is `judged` or the analysis is disabled.
        public enum Kind: Sendable {
            /// The frames are judged, and nothing sensitive was found.
            case judged
            /// It is not known whether the frames are sensitive.
            case unknown(Reason)
            /// Something sensitive was found, or one frame has to be confirmed by another.
            case covered(SCSensitivityAnalysis)
        }

        /// The reason why nothing is known about a stream.
        public enum Reason: Sendable, Hashable {
            /// No frame was judged yet under the policy in force, or since the person's last answer.
            case notYetJudged
            /// Frames were not judged within a second, now or in the last half second: the machine has too much to do.
            case late
            /// The analysis failed; it is tried again.
            case analysisFailed(SensitivityAnalysisError.Code)
            /// The policy has become disabled. End the analysis, and display the stream as without an analyzer.
            case analysisDisabled
        }
    }

    /// The state of the stream now, and then each new state; a slow listener gets the newest state only.
    ///
    /// ```swift
    /// for await state in streamAnalyzer.states {
    ///     switch state.kind {
    ///     case .judged: view.isCovered = false
    ///     case .unknown(.analysisDisabled): call.analysisIsDisabled()
    ///     case .unknown(.late): view.cover("This device has too much to do.")
    ///     case .unknown, .covered: view.isCovered = true
    ///     }
    /// }
    /// ```
    ///
    /// Not in Apple's framework.
    public var states: some AsyncSequence<State, Never> & Sendable { backing.stateChanges() }

    /// The state of the stream.
    ///
    /// Not in Apple's framework.
    public var state: State { backing.currentState }

    /// Resumes the analysis after a finding that the person has decided to see.
    ///
    /// Later frames with the types that were found are displayed, and are no new finding. The decision ends when none of
    /// these types was found for two seconds, or when the policy becomes stricter.
    ///
    /// Not in Apple's framework.
    public func continueStreamAcceptingContent() { backing.continueStream(accepts: true) }
}
