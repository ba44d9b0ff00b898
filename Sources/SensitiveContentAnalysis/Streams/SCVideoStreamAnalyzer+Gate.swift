// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import LiveStreams

extension SCVideoStreamAnalyzer {
    /// A gate that displays a frame only after it, or a frame that looks the same, was judged not sensitive.
    ///
    /// ```swift
    /// let gate = try streamAnalyzer.gate(delay: .milliseconds(500))
    /// for await output in gate.outputs {
    ///     switch output.picture {
    ///     case .frame(let frame): view.display(frame)
    ///     case .cover(_, .analysisDisabled): call.analysisIsDisabled()
    ///     case .cover(let covered, _): view.displayCover(width: covered.width, height: covered.height)
    ///     }
    /// }
    /// ```
    ///
    /// Frames come out in order and after a constant delay. A frame that was not judged in time leaves as a cover.
    ///
    /// Not in Apple's framework.
    public struct Gate: Sendable {
        /// The frames and covers, each at the time at which it is due; nil after ``SCVideoStreamAnalyzer/endAnalysis()``.
        ///
        /// Iterate over it once. A slow listener gets the newest element only, because a late frame is of no use.
        public let outputs: AsyncStream<Output>

        /// An element that leaves the gate.
        public struct Output: Sendable {
            /// The picture to display.
            public let picture: Picture
            /// The number of frames that were dropped before this one, because they were late.
            public let droppedFrameCount: Int
            /// The policy under which the gate has decided.
            package let policy: SCSensitivityAnalysisPolicy
        }

        /// A frame, or a cover in its place.
        public enum Picture: Sendable {
            /// A frame that was judged.
            case frame(CVPixelBuffer)
            /// A frame that must not be displayed, and the reason.
            case cover(CoveredFrame, CoverReason)
        }

        /// The reason for a cover.
        public enum CoverReason: Sendable, Hashable, CaseIterable {
            /// The frame was not judged in time.
            case unjudged
            /// Something sensitive was found or is suspected.
            case sensitive
            /// The policy has become disabled, so nothing is judged.
            case analysisDisabled
        }

        /// A frame that must not be displayed; only its size and a few colours can be read.
        public struct CoveredFrame: Sendable {
            /// The frame itself, for a person who has decided to see it.
            package let frame: CVPixelBuffer

            package init(_ frame: CVPixelBuffer) {
                self.frame = frame
            }

            /// The width of the frame as it would be displayed, in pixels.
            public var width: Int { frame.pixels.shownSize.width }
            /// The height of the frame as it would be displayed, in pixels.
            public var height: Int { frame.pixels.shownSize.height }

            /// Returns the samples for a cover.
            package func samples(_ detail: PixelSamples.Detail) throws -> PixelSamples {
                do {
                    let views = try frame.pixels.reducedViews(
                        minimumWidth: detail.fullEdge, minimumHeight: detail.fullEdge)
                    guard let view = views.first else {
                        throw AnalysisFailure(.internalFailure, "A frame has no view. Please report it.")
                    }
                    return PixelSamples(view, detail)
                } catch let failure as AnalysisFailure {
                    throw SensitivityAnalysisError(failure)
                }
            }
        }
    }

    /// Returns a gate for all frames that are passed to ``analyze(_:)`` from now on.
    ///
    /// An analyzer has one gate; a further call replaces it, and ends the outputs of the former one.
    ///
    /// - Parameter delay: the time from ``analyze(_:)`` to the output, from 0 to 2 seconds. With a longer delay, fewer
    ///   frames are covered because they were not judged in time.
    /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` for any other delay.
    public func gate(delay: Duration = .milliseconds(250)) throws -> Gate {
        guard .zero <= delay, delay <= .seconds(2) else {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "The delay of a gate is from 0 to 2 seconds, and not \(delay).")
        }
        return Gate(outputs: backing.openGate(delay: delay).stream)
    }
}
