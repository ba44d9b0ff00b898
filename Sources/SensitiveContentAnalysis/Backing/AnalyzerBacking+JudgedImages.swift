// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import HelperHost
internal import HelperProtocol

#if !canImport(CoreGraphics)
extension AnalyzerBacking {
    func judgedImage(
        _ maximumPixelSize: Int?, _ makeInput: @escaping @Sendable (AnalysisLimits) throws -> DecoderInput
    ) async throws -> SCSensitivityAnalyzer.JudgedImage {
        try await analyze { engine, authority, limits in
            try Self.check(maximumPixelSize)
            let judged = try await engine.judgedPicture(
                authority.request(limits: limits), maximumEdge: maximumPixelSize
            ) { try makeInput(limits) }
            return SCSensitivityAnalyzer.JudgedImage(
                analysis: SCSensitivityAnalysis(AnalysisBacking(MediaAnalysis(judged.analysis))),
                image: try CGImage(judged.picture.picture),
                originalSize: (judged.picture.originalWidth, judged.picture.originalHeight),
                isDamaged: judged.picture.isDamaged)
        }
    }
}

extension CGImage {
    /// Creates an image over sealed memory, without copying it; the memory is freed with the last copy of the data.
    convenience init(_ picture: SealedPicture) throws {
        let (layout, memory) = (picture.layout, picture.memory)
        let pixels = unsafe memory.withBytes { bytes in
            unsafe Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes.baseAddress!), count: layout.byteCount,
                deallocator: .custom { _, _ in withExtendedLifetime(memory) {} })
        }
        try self.init(
            width: layout.width, height: layout.height, pixelFormat: layout.format == .rgba32 ? .rgba32 : .rgb24,
            bytesPerRow: layout.bytesPerRow, pixels: pixels)
    }
}
#endif
