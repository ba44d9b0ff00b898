// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

extension MediaEngine {
    /// Encodes the judged picture of a file.
    ///
    /// The copy is judged like a file from a stranger, as other programs show it, because lossy encoding moves scores.
    ///
    /// - Parameters:
    ///   - maximumEdge: the longest edge in pixels; nil for the full size.
    ///   - treatment: what the copy shows of a sensitive picture.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a failed step never leads to a copy.
    package func judgedCopy(
        _ request: AnalysisRequest, maximumEdge: Int?, _ encoding: PictureEncoding,
        sensitive treatment: JudgedCopy.Treatment,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> JudgedCopy {
        let judged = try await judgedPicture(request, maximumEdge: maximumEdge, makeInput)
        var analysis = MediaAnalysis(judged.analysis)
        if analysis.isSensitive, treatment != .picture {
            return try await covered(judged.picture, analysis, encoding, treatment, request.limits)
        }
        let file = try await pictureEncoding.encode(judged.picture.picture, encoding, limits: request.limits)
        let copy = try await analyzePictures(request) { .memory(file) }.get()
        analysis = analysis.joined(with: copy)
        if analysis.isSensitive, treatment != .picture {
            return try await covered(judged.picture, analysis, encoding, treatment, request.limits)
        }
        return JudgedCopy(analysis: analysis, file: file, isDamaged: judged.picture.isDamaged)
    }

    private func covered(
        _ picture: WholePicture, _ analysis: MediaAnalysis, _ encoding: PictureEncoding,
        _ treatment: JudgedCopy.Treatment,
        _ limits: AnalysisLimits
    ) async throws -> JudgedCopy {
        guard treatment == .cover else {
            return JudgedCopy(analysis: analysis, file: nil, isDamaged: picture.isDamaged)
        }
        let file = try await pictureEncoding.encode(
            try CoveredPicture(picture.picture).picture, encoding, limits: limits)
        return JudgedCopy(analysis: analysis, file: file, isDamaged: picture.isDamaged)
    }
}
