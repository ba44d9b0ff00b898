// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import Foundation
internal import HelperHost

#if !canImport(CoreGraphics)
extension AnalyzerBacking {
    func judgedFrames(
        _ maximumPixelSize: Int?, _ maximumDuration: Duration,
        _ openInput: @escaping @Sendable (AnalysisLimits) throws -> DecoderInput
    ) async throws -> SCSensitivityAnalyzer.JudgedFrames {
        try await analyze { engine, authority, limits in
            try Self.check(maximumPixelSize)
            guard maximumDuration > .zero else {
                throw AnalysisFailure(.invalidArgument, "maximumDuration must be longer than zero.")
            }
            var limits = limits
            limits.maximumDuration = min(limits.maximumDuration, maximumDuration)
            let request = authority.request(limits: limits)
            // The same open file is read again, also if its name belongs to another file by then.
            let input = try openInput(limits)
            let frames = try await engine.judgedFrames(
                request, maximumEdge: maximumPixelSize, keptByteCount: Self.keptByteCount
            ) { input }.get()
            return SCSensitivityAnalyzer.JudgedFrames(
                analysis: SCSensitivityAnalysis(AnalysisBacking(frames.analysis)), size: frames.size,
                count: frames.count, duration: frames.analysis.duration, loopCount: frames.loopCount,
                isDamaged: frames.isDamaged
            ) {
                FrameReader(
                    JudgedFrameReader(frames, request, maximumEdge: maximumPixelSize, engine: engine) { input },
                    explain: { authority.explained($0) })
            }
        }
    }

    /// Opens a local file, which stays open.
    static func openInput(_ fileURL: URL) throws -> DecoderInput {
        guard case .file(let path) = try input(fileURL) else { return try input(fileURL) }
        return .open(try OwnedDescriptor.openRegularFile(at: path))
    }

    /// The size of frames that are kept in memory, in bytes.
    private static let keptByteCount = 64 << 20
}
#endif
