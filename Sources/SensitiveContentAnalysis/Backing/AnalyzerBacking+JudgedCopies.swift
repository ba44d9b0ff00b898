// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import Foundation
internal import HelperProtocol

extension AnalyzerBacking {
    func judgedCopy(
        of fileURL: URL, to targetURL: URL, _ options: SCSensitivityAnalyzer.CopyOptions, _ afterPersonsChoice: Bool
    ) async throws -> SCSensitivityAnalysis {
        try await analyze { engine, authority, limits in
            let input = try Self.input(fileURL)
            guard targetURL.isFileURL else {
                throw AnalysisFailure(.invalidArgument, "A copy is written to a local file. Name one.")
            }
            guard PictureEncoding.qualities.contains(options.quality) else {
                throw AnalysisFailure(.invalidArgument, "The quality must be from 1 to 100.")
            }
            try Self.check(options.maximumPixelSize)
            let background = options.background
            let encoding = CopyEncoding(
                format: options.format.ofCore, quality: options.quality,
                background: PictureEncoding.Background(
                    red: background.red, green: background.green, blue: background.blue))
            let copy = try await engine.judgedCopy(
                authority.request(limits: limits), maximumEdge: options.maximumPixelSize, encoding,
                sensitive: afterPersonsChoice ? .picture : .refusal
            ) { input }.get()
            guard let file = copy.file else {
                throw AnalysisFailure(
                    .sensitiveMedia,
                    "The media is sensitive, so no copy was written. Ask the person, and write it after the person's"
                        + " choice.")
            }
            try Task.checkCancellation()
            try unsafe file.withBytes { unsafe try NewFile.write($0, to: targetURL.path) }
            return SCSensitivityAnalysis(AnalysisBacking(copy.analysis))
        }
    }

    /// - Throws: `invalidArgument` for a size of no pixels.
    static func check(_ maximumPixelSize: Int?) throws(AnalysisFailure) {
        guard maximumPixelSize.map({ $0 > 0 }) ?? true else {
            throw AnalysisFailure(.invalidArgument, "maximumPixelSize must be at least 1, or nil for the full size.")
        }
    }
}

extension SCSensitivityAnalyzer.CopyFormat {
    fileprivate var ofCore: CopyEncoding.Format {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .mp4: .mp4
        }
    }
}
