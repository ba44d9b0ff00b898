// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
package import HelperHost
internal import HelperProtocol

extension MediaEngine {
    /// Returns the samples of the first picture of a file of any kind, for a cover, without the model.
    ///
    /// - Throws: `AnalysisFailure` if no picture was decoded within `maximumDecodingTime`, which includes the wait in
    ///   the queue; or `CancellationError`.
    package func samples(
        _ detail: PixelSamples.Detail, limits: AnalysisLimits,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> PixelSamples {
        try limits.validate()
        var limits = limits
        // A person waits for a cover, and a cover needs one picture only.
        limits.maximumMediaDecodingTime = min(limits.maximumMediaDecodingTime, limits.maximumDecodingTime)
        let request = OpenRequest(
            picture: ImageRequest(minimumWidth: detail.fullEdge, minimumHeight: detail.fullEdge, limits: limits),
            preset: .fast)
        let patience = limits.maximumDecodingTime
        return try await withThrowingTaskGroup(of: PixelSamples?.self) { group in
            group.addTask { try await self.firstSamples(detail, request, makeInput) }
            group.addTask {
                try await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let samples = try await group.next() ?? nil else {
                throw AnalysisFailure(
                    .timedOut,
                    "There was no picture for a cover within \(patience.formatted(.units())). Show a plain one.")
            }
            return samples
        }
    }

    private func firstSamples(
        _ detail: PixelSamples.Detail, _ request: OpenRequest,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> PixelSamples {
        @Sendable func video(_ sequence: SequencePlace?) async throws -> FileAnswer<FirstSamples> {
            var request = request
            request.sequence = sequence
            return try await openVideo(makeInput) { [request] in
                request
            } _: { media in
                try await FirstSamples(detail, of: media)
            }
        }
        var first = try await Self.openAny(videoFirst: false) {
            try await self.openPictures(makeInput) {
                request
            } picture: { picture in
                FirstSamples(samples: picture.samples(detail), sequence: nil)
            } sequence: { media in
                try await FirstSamples(detail, of: media)
            }
        } video: {
            try await video(nil)
        }.get()
        if first.samples == nil, let sequence = first.sequence { first = try await video(sequence).get() }
        guard let samples = first.samples else {
            throw AnalysisFailure(
                .malformedMedia, "Not one picture could be decoded. Get the file again, or save it in another format.")
        }
        return samples
    }
}

/// The samples of the first picture of an open file.
private struct FirstSamples: Sendable {
    /// The samples; nil if the decoder shows no picture.
    let samples: PixelSamples?
    /// The place of pictures that only the video decoder can decode.
    let sequence: SequencePlace?
}

extension FirstSamples {
    init(_ detail: PixelSamples.Detail, of media: OpenMedia) async throws {
        for index in 0..<media.trackCount {
            _ = try await media.openTrack(index)
            steps: while true {
                switch try await media.next() {
                case .frame(let picture, _, _):
                    self.init(samples: picture.samples(detail), sequence: nil)
                    return
                case .end: break steps
                case .progress, .repetition: continue
                }
            }
        }
        self.init(samples: nil, sequence: media.sequence)
    }
}
