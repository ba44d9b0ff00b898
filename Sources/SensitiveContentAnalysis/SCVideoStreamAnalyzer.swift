// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An analyzer that finds whether a live stream, such as a video call, is likely to show sensitive content.
///
/// ```swift
/// do {
///     let analyzer = try SCVideoStreamAnalyzer(participantUUID: call.caller, streamDirection: .incoming)
///     let gate = try analyzer.gate()
///     Task { for await output in gate.outputs { view.display(output.picture) } }
///     for await frame in call.frames { analyzer.analyze(frame) }
///     analyzer.endAnalysis()
/// } catch let error as SensitivityAnalysisError where error.code == .analysisDisabled {
///     call.analysisIsDisabled()
/// } catch {
///     view.cover("This call cannot be checked. \(error.localizedDescription)")
/// }
/// ```
///
/// Create one analyzer for each stream, and pass all frames to ``analyze(_:)`` before they are displayed. After a
/// finding the analysis pauses until ``continueStream()``. The app hides the stream meanwhile; a ``Gate`` does it for
/// the app. All members can be used from any thread, and none of them waits for an analysis.
///
/// Source: Apple's documentation of `SCVideoStreamAnalyzer`.
open class SCVideoStreamAnalyzer: NSObject, @unchecked Sendable {
    // @unchecked: every stored property is constant; an open class cannot be checked.

    /// The direction of a stream.
    public enum StreamDirection: Int, Sendable {
        /// The stream of the local camera or screen, which is sent to others.
        case outgoing = 1
        /// A stream that is received from another device.
        case incoming = 2
    }

    let backing: StreamBacking

    /// Creates an analyzer for a stream of a participant.
    ///
    /// - Parameters:
    ///   - participantUUID: a token of the person; the same for all streams of the person in a call. A finding in one
    ///     of these streams reaches the others.
    ///   - streamDirection: the direction of the stream.
    /// - Throws: ``SensitivityAnalysisError`` with `analysisDisabled` under a disabled policy, and with
    ///   `modelUnavailable` or `decoderUnavailable` if nothing can analyse.
    public convenience init(participantUUID: String, streamDirection: StreamDirection) throws {
        try self.init(participantUUID: participantUUID, streamDirection: streamDirection, configuration: nil)
    }

    /// Creates an analyzer with a configuration of its own; nil for the configuration of the process.
    ///
    /// Not in Apple's framework.
    ///
    /// - Throws: as ``init(participantUUID:streamDirection:)``.
    public init(
        participantUUID: String, streamDirection: StreamDirection, configuration: SCSensitivityAnalyzer.Configuration?
    ) throws {
        try ForkCheck.pass()
        let analyzer = AnalyzerBacking(configuration: configuration)
        backing = try StreamBacking(participantUUID, streamDirection, StreamSource(analyzer))
        super.init()
    }

    init(_ backing: StreamBacking) {
        self.backing = backing
        super.init()
    }

    deinit { backing.close() }

    /// The finding for which the stream waits; nil if nothing sensitive was found, and after ``continueStream()``.
    open var analysis: SCSensitivityAnalysis? { backing.analysis }

    /// The analyses of the stream: a first one that is not sensitive, each finding, and the return to harmless content.
    ///
    /// ```swift
    /// do {
    ///     for try await analysis in streamAnalyzer.analysisChanges {
    ///         call.showsWarning = analysis.shouldIndicateSensitivity
    ///         call.stopsVideo = analysis.shouldInterruptVideo
    ///         call.isMuted = analysis.shouldMuteAudio
    ///     }
    /// } catch {
    ///     // The frames could not be analysed, so nothing is known about the stream.
    ///     call.stopsVideo = true
    ///     call.isMuted = true
    /// }
    /// ```
    ///
    /// Each iteration delivers all changes since the analyzer was created or ``endAnalysis()`` was called. Of more than
    /// 1,000 changes that nobody has read, only the newest is kept. The sequence ends with ``endAnalysis()``, and with
    /// an error if frames cannot be analysed. ``states`` goes on after an error.
    public var analysisChanges: some AsyncSequence<SCSensitivityAnalysis, any Error> & Sendable {
        AnalysisChanges(log: backing.log)
    }

    /// A closure that is called on the main actor with each analysis or error.
    ///
    /// Apple's framework offers it to Objective-C only, although Apple's article uses it in Swift.
    open var analysisChangedHandler: (@MainActor @Sendable (SCSensitivityAnalysis?, (any Error)?) -> Void)? {
        get { backing.handler }
        set { backing.handler = newValue }
    }

    /// Takes the next frame of the stream, and returns at once.
    ///
    /// ```swift
    /// // Without a gate, the app itself covers frames while nothing is known.
    /// for await pixelBuffer in call.frames {
    ///     streamAnalyzer.analyze(pixelBuffer)
    ///     if case .judged = streamAnalyzer.state.kind {
    ///         view.display(pixelBuffer)
    ///     } else {
    ///         view.isCovered = true
    ///     }
    /// }
    /// ```
    ///
    /// The newest frame is analysed when its turn comes. A frame that a newer frame replaces before is not analysed.
    /// The call compares the frame with the last analysed frame, in about 0.1 ms for 640 × 360 pixels.
    ///
    /// - Parameter pixelBuffer: the frame. Its memory must not change until the frame is no longer displayed.
    open func analyze(_ pixelBuffer: CVPixelBuffer) { backing.analyze(pixelBuffer) }

    /// Ends the analysis of the stream, and all sequences of ``analysisChanges``.
    ///
    /// A later call of ``analyze(_:)`` begins a new analysis, without the findings of the ended one.
    open func endAnalysis() { backing.end() }

    /// Resumes the analysis after a finding, and clears ``analysis``.
    ///
    /// ```swift
    /// switch await view.answer() {
    /// case .goOn: streamAnalyzer.continueStreamAcceptingContent()
    /// case .askAgain: streamAnalyzer.continueStream()
    /// case .leave: streamAnalyzer.endAnalysis()
    /// }
    /// ```
    ///
    /// The other streams of the participant that paused for the same finding are resumed as well. Content that is
    /// still sensitive is a new finding.
    open func continueStream() { backing.continueStream(accepts: false) }
}
