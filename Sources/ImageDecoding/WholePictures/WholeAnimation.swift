// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderService
internal import HelperProtocol

/// The frames of an animation that the app displays.
final class WholeAnimation: WholeFrameSession {
    let description: WholeFramesReply
    private let pictures: AnimationPictures
    private let request: WholePictureRequest
    private var position = 0
    /// The start of the next frame, in microseconds.
    private var moment: UInt64 = 0

    /// - Parameter pictures: an animation that has been started.
    init(_ pictures: AnimationPictures, _ request: WholePictureRequest) {
        (self.pictures, self.request) = (pictures, request)
        description = WholeFramesReply(
            format: pictures.format, isTimed: true, duration: pictures.durations.reduce(0) { $0 + Self.length($1) },
            loopCount: pictures.loopCount)
    }

    func nextFrame(to output: WholePictureOutput) throws(DecodingFailure) -> WholeFrameAnswer {
        guard position < pictures.count else { return .end(end(.end)) }
        guard moment <= request.limits.maximumDuration.microseconds else { return .end(end(.tooLong)) }
        let picture: VipsPicture
        do throws(DecodingFailure) {
            picture = try pictures.picture(position)
        } catch {
            // A file that was cut is shown up to the cut.
            guard position > 0, error.reason == .malformed else { throw error }
            return .end(end(.truncated))
        }
        let shown = TimeSpan(start: moment, end: moment + Self.length(pictures.durations[position]))
        (position, moment) = (position + 1, shown.end)
        output.shown = shown
        let writer = WholePictureWriter(format: pictures.format, request: request, output: output)
        let opened = PrimaryPicture.Opened(picture: picture, meaning: pictures.meaning, orientation: 1)
        return .written(isDamaged: try writer.write(opened))
    }

    private func end(_ reason: TrackEnd.Reason) -> TrackEnd {
        TrackEnd(duration: moment, decodedFrameCount: UInt64(position), longestUnseen: 0, reason: reason)
    }

    /// The length of a frame in microseconds: at least one, and at most an hour.
    private static func length(_ duration: UInt64) -> UInt64 { min(max(1, duration), 3_600_000_000) }
}
