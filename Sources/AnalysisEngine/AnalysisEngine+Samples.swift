// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
package import HelperHost
internal import HelperProtocol

extension AnalysisEngine {
    /// Returns the samples of the first picture of a file of any kind, for a cover, without the model.
    ///
    /// - Throws: `AnalysisFailure` if no picture was decoded within `maximumDecodingTime`, which includes the wait in
    ///   the queue; or `CancellationError`.
    package func samples(
        _ detail: PixelSamples.Detail, limits: AnalysisLimits, expecting expected: ExpectedMedia,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> PixelSamples {
        try limits.validate()
        var limits = limits
        // A person waits for a cover, and a cover needs one picture only.
        limits.maximumMediaDecodingTime = min(limits.maximumMediaDecodingTime, limits.maximumDecodingTime)
        let treatment = SamplesTreatment(engine: self, detail: detail, limits: limits, makeInput: makeInput)
        let patience = limits.maximumDecodingTime
        return try await withThrowingTaskGroup(of: PixelSamples?.self) { group in
            group.addTask { try await treatment.run(expecting: expected).get() }
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
}

/// The search for the first picture of a file.
private struct SamplesTreatment: MediaTreatment {
    let engine: AnalysisEngine
    let detail: PixelSamples.Detail
    let limits: AnalysisLimits
    let makeInput: @Sendable () throws -> DecoderInput

    private var request: ImageRequest {
        ImageRequest(minimumWidth: detail.fullEdge, minimumHeight: detail.fullEdge, limits: limits)
    }

    func picture() async throws -> FileAnswer<PixelSamples> {
        try await engine.withPicture(request, makeInput) { $0.samples(detail) }
    }

    func severalPictures() async throws -> FileAnswer<PixelSamples> {
        let answer = try await first(of: .pictures)
        guard case .value(let first) = answer, first.samples == nil, first.needsVideoDecoder else {
            return try found(answer)
        }
        return try found(try await self.first(of: .imageSequence))
    }

    func video() async throws -> FileAnswer<PixelSamples> { try found(try await first(of: .video)) }

    private struct First: Sendable {
        let samples: PixelSamples?
        let needsVideoDecoder: Bool
    }

    private func first(of kind: AnalysisEngine.MediaRoute) async throws -> FileAnswer<First> {
        try await engine.withMedia(kind, makeInput) {
            MediaRequest(picture: request, preset: .fast, isImageSequence: kind == .imageSequence)
        } _: { media in
            for index in 0..<media.trackCount {
                _ = try await media.openTrack(index)
                if let samples = try await firstSamples(of: media) {
                    return First(samples: samples, needsVideoDecoder: false)
                }
            }
            return First(samples: nil, needsVideoDecoder: media.needsVideoDecoder)
        }
    }

    private func firstSamples(of media: OpenMedia) async throws -> PixelSamples? {
        while true {
            switch try await media.next() {
            case .frame(let picture, _, _): return picture.samples(detail)
            case .end: return nil
            case .progress, .repetition: continue
            }
        }
    }

    private func found(_ answer: FileAnswer<First>) throws(AnalysisFailure) -> FileAnswer<PixelSamples> {
        try answer.map { first throws(AnalysisFailure) in
            guard let samples = first.samples else {
                throw AnalysisFailure(
                    .malformedMedia,
                    "Not one picture could be decoded. Get the file again, or save it in another format.")
            }
            return samples
        }
    }
}
