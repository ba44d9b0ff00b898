// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import HelperHost

#if !canImport(CoreGraphics)
/// Reads judged frames, and turns errors into public ones.
final class FrameReader: Sendable {
    private let reader: JudgedFrameReader
    private let explain: @Sendable (AnalysisFailure) -> AnalysisFailure

    init(_ reader: JudgedFrameReader, explain: @escaping @Sendable (AnalysisFailure) -> AnalysisFailure) {
        (self.reader, self.explain) = (reader, explain)
    }

    func next() async throws -> SCSensitivityAnalyzer.JudgedFrame? {
        do {
            guard let frame = try await reader.next() else { return nil }
            return SCSensitivityAnalyzer.JudgedFrame(
                image: try CGImage(frame.picture.picture), time: frame.start, duration: frame.end - frame.start)
        } catch let failure as AnalysisFailure {
            throw SensitivityAnalysisError(explain(failure))
        }
    }
}
#endif
