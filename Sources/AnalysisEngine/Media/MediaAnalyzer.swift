// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

/// Analyses the selected pictures of an open file, and applies the rule of ``FrameTimeline`` to them.
package struct MediaAnalyzer: Sendable {
    let model: any SensitivityModel
    let policy: AnalysisPolicy
    let options: MediaOptions
    /// The number of frames that are scored at once.
    let concurrency: Int
    /// The longest time for which a decoder may report no progress.
    let longestStall: Duration
    /// Whether the video decoder continues if this decoder reports that it cannot show all pictures.
    let mayNeedVideoDecoder: Bool
    /// Whether viewers that use this decoder miss the pictures that it cannot decode, and show no others.
    let mayMissPictures: Bool

    /// Analyses all tracks of an open file; without a timeline, a sensitive track ends the analysis.
    ///
    /// - Throws: `AnalysisFailure` if nothing sensitive was found and a part of the file could not be analysed.
    func analyze(_ media: OpenMedia) async throws -> MediaAnalysis {
        var result = MediaAnalysis(kind: .pages, modelName: model.name, policy: policy)
        do {
            for index in 0..<media.trackCount {
                try await analyzeTrack(index, of: media, into: &result)
                if result.isSensitive && !options.keepsTimeline {
                    report(1, result.firstSensitiveTime ?? .zero, result.duration)
                    return result
                }
            }
        } catch is AnalysisFailure where result.isSensitive {
            // Later pictures cannot change the verdict, and the caller waits for it.
            return result
        }
        result.sequence = mayNeedVideoDecoder ? media.sequence : nil
        guard result.framesAnalyzed > 0 || result.sequence != nil || mayMissPictures else {
            throw AnalysisFailure(
                .malformedMedia, "Not one picture could be decoded. Get the file again, or save it in another format.")
        }
        // The format allows several pictures, but this file holds one, so the result is about an image.
        if result.kind == .pages, result.framesAnalyzed == 1 { result.kind = .image }
        result.keepBestThumbnails(Self.mostThumbnails)
        if result.sequence == nil { report(1, result.duration ?? .zero, result.duration) }
        return result
    }

    private func report(_ share: Double, _ position: Duration, _ duration: Duration?) {
        options.reportProgress(MediaProgress(share: share, position: position, duration: duration))
    }

    // MARK: Tracks

    private func analyzeTrack(_ index: Int, of media: OpenMedia, into result: inout MediaAnalysis) async throws {
        let track = try await media.openTrack(index)
        var walk = TrackWalk(
            media: media, analysis: TrackAnalysis(track, policy: policy, keepsTimeline: options.keepsTimeline),
            scorer: FrameScorer(
                model: model, keepsThumbnails: options.keepsThumbnails,
                options: options.scoring(under: policy, isFrame: track.isTimed)),
            concurrency: concurrency,
            stopsEarly: !options.keepsTimeline, isComplete: track.isComplete,
            locatesEdges: options.locatesEdges, longestStall: longestStall)
        let (first, count) = (Double(index), Double(media.trackCount))
        let end: OpenMedia.End?
        var failure: AnalysisFailure?
        do {
            end = try await walk.run { share, position in
                report((first + share) / count * Self.shareBeforeEnd, position, track.duration)
            }
        } catch let error as AnalysisFailure where !walk.analysis.detectedTypes.isEmpty {
            (end, failure) = (nil, error)
        }
        merge(walk.analysis, track, end, of: media, into: &result)
        if let failure { throw failure }
        guard let end, !result.isSensitive else { return }
        if mayMissPictures, [.end, .truncated].contains(end.reason) { return }
        try Self.check(end)
        // The last picture of an animation stays on display, so no picture may be missing, however short its time.
        let mayMissBriefly = track.isTimed && !Self.animationFormats.contains(media.format)
        guard walk.analysis.framesAnalyzed > 0, mayMissBriefly || end.longestUnseen == .zero, !walk.hasDamage else {
            throw AnalysisFailure(
                .malformedMedia,
                "Pictures in the file could not be decoded, and nothing sensitive was found in the others. Get the file"
                    + " again.")
        }
    }

    private func merge(
        _ analysis: TrackAnalysis, _ track: OpenMedia.Track, _ end: OpenMedia.End?, of media: OpenMedia,
        into result: inout MediaAnalysis
    ) {
        result.detectedTypes.formUnion(analysis.detectedTypes)
        result.labels = result.labels.joined(with: analysis.labels, isHigher: analysis.score > result.score)
        result.score = max(result.score, analysis.score)
        result.framesAnalyzed += analysis.framesAnalyzed
        result.framesDecoded = max(result.framesDecoded, end?.decodedFrameCount ?? 0)
        result.points += analysis.points
        result.thresholds = result.thresholds ?? analysis.thresholds
        let spans = analysis.decisiveSpans
        result.spans = (result.spans + spans).sorted { $0.start < $1.start }
        result.firstSensitiveTime = result.spans.first?.start
        if track.isTimed {
            result.kind = media.format == .video ? .video : .animation
            let duration = track.duration ?? end?.duration ?? .zero
            result.duration = max(result.duration ?? .zero, duration)
        } else if media.format == .gif || media.format == .webp {
            // A track without times holds one picture in these formats, because several pictures would be an animation.
            result.kind = .image
        }
    }

    /// Throws a failure if a part of the track was not analysed, because that part may be sensitive.
    package static func check(_ end: OpenMedia.End) throws(AnalysisFailure) {
        switch end.reason {
        case .end: break
        case .truncated:
            throw AnalysisFailure(
                .malformedMedia,
                "The file ends before the video does, and nothing sensitive was found in what there is. Get the file"
                    + " again.")
        case .lateStream:
            throw AnalysisFailure(
                .unsupportedMedia,
                "The video goes on in a stream that begins in its midst, which is not looked at, and nothing sensitive was"
                    + " found in the others. Convert it to MP4 or Matroska.")
        case .changedCodec: throw AnalysisFailure(Disagreement.Kind.changedCodec)
        case .unknownStream: throw AnalysisFailure(Disagreement.Kind.unknownStream)
        case .otherLook: throw AnalysisFailure(Disagreement.Kind.otherLook)
        case .contradiction: throw AnalysisFailure(Disagreement.Kind.contradiction)
        case .tooLong:
            throw AnalysisFailure(
                .limitExceeded,
                "The video is longer than the limit, and nothing sensitive was found up to there. Raise the limit of its"
                    + " duration.")
        case .tooManyFrames:
            throw AnalysisFailure(
                .limitExceeded,
                "The video has more frames to decode than the limit allows, and nothing sensitive was found up to there."
                    + " Raise the limit on frames, or choose a faster preset.")
        }
        guard end.longestUnseen <= longestUnseen else {
            let seconds = Double(Int(end.longestUnseen / .milliseconds(100))) / 10
            throw AnalysisFailure(
                .malformedMedia,
                "The video is damaged: a stretch of \(seconds) s could not be looked at, and nothing sensitive was found"
                    + " in the rest. Get the file again.")
        }
    }

    /// The longest stretch of a video without analysed frames, because a longer stretch could hide sensitive content.
    private static let longestUnseen = Duration.milliseconds(500)
    /// The picture formats whose animations the video decoder decodes.
    private static let animationFormats: Set<MediaFormat> = [.png, .avif, .heic]
    private static let mostThumbnails = 12
    /// The largest progress that is reported before the end; a progress of 1 is reported with the result.
    private static let shareBeforeEnd = 0.999
}
