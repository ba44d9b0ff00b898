// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

extension MediaEngine {
    /// Copies the encoded frames of a film into a container of its own, and judges the copy.
    ///
    /// The copy lies in sealed memory before it is judged. So each frame that it holds is judged, or looks the same as a judged
    /// one, whatever the original and its decoder are. Its sound is not looked at.
    ///
    /// - Parameter keepsSound: whether the first sound track is copied as well.
    /// - Returns: the copy, or the content of a file without pictures.
    /// - Throws: `unsupportedMedia` with the reason for a film that has to be encoded; other codes of `AnalysisFailure`, or
    ///   `CancellationError`. A failed step never leads to a copy.
    package func remuxedCopy(
        _ request: AnalysisRequest, _ container: FilmContainer, keepsSound: Bool,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<RemuxedCopy> {
        try request.validate()
        let remuxing = RemuxRequest(limits: request.limits, container: container, keepsSound: keepsSound)
        let copied = try await videoLanes.run { urgency in
            try await self.videoDecoding.remuxed(makeInput, remuxing, urgency: urgency)
        }
        if case .content(.pictures) = copied {
            throw AnalysisFailure(.unsupportedMedia, "The file is no video. Only videos are copied without encoding.")
        }
        return try await copied.asyncMap { file in
            var everyFrame = request
            everyFrame.options.scoresEveryFrame = true
            let analysis = try await judge(file, everyFrame)
            return RemuxedCopy(analysis: analysis, file: analysis.isSensitive ? nil : file)
        }
    }
}
