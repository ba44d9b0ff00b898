// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation

/// The analysis of one video: its verdict and its timeline, each shared by all callers, and its progress.
final class VideoAnalysisWork: Sendable {
    typealias Timeline = SCSensitivityAnalyzer.VideoAnalysisHandler.VideoTimeline

    let progress: VideoAnalysisProgress
    private let sharedVerdict: SharedTask<SCSensitivityAnalysis>
    private let sharedTimeline: SharedTask<Timeline>

    init(fileURL: URL, backing: AnalyzerBacking) {
        let progress = VideoAnalysisProgress()
        @Sendable func media(keepsTimeline: Bool) async throws -> MediaAnalysis {
            progress.begin()
            defer { progress.finish() }
            let options = MediaOptions(
                preset: backing.samplingPreset, keepsTimeline: keepsTimeline, locatesEdges: keepsTimeline
            ) {
                progress.report($0)
            }
            return try await backing.analyzeVideo(at: fileURL, options)
        }
        self.progress = progress
        sharedVerdict = SharedTask { _ in
            SCSensitivityAnalysis(AnalysisBacking(try await media(keepsTimeline: false)))
        }
        sharedTimeline = SharedTask { _ in Timeline(try await media(keepsTimeline: true)) }
    }

    func verdict() async throws -> SCSensitivityAnalysis { try await value(of: sharedVerdict) }

    func timeline() async throws -> Timeline { try await value(of: sharedTimeline) }

    private func value<Value: Sendable>(of shared: SharedTask<Value>) async throws -> Value {
        progress.setCancellation { shared.cancel() }
        guard !progress.current.isCancelled else { throw CancellationError() }
        return try await shared.value()
    }
}
