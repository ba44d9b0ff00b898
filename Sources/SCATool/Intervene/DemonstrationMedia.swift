// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import ArgumentParser
internal import DecoderHost
internal import Foundation
internal import InterventionKit
internal import SensitiveContentAnalysis

/// The file of a demonstration, and its check.
struct DemonstrationMedia: Sendable {
    let path: String
    let authority: AnalysisAuthority
    /// What counts as found, whatever was found.
    let pretended: MediaVerdict?

    /// What a check has brought.
    struct Finding: Sendable {
        let verdict: MediaVerdict
        /// The cover; nil where no picture could be decoded.
        let samples: PixelSamples?
        /// Why the verdict is unknown, for the person who named the file.
        let reason: String?
    }

    var name: String { TerminalText.printable(URL(fileURLWithPath: path).lastPathComponent) }

    var kind: InterventionKit.MediaKind { VideoFileName.isLikely(path) ? .video : .image }

    /// - Throws: `ValidationError` where there is no file, which is a mistake and nothing to demonstrate.
    func checkThatItCanBeOpened() throws {
        do {
            _ = try DecoderInput.file(path: path).open()
        } catch {
            throw ValidationError("\(TerminalText.printable(path)): \(error.message)")
        }
    }

    func check(_ report: @escaping @Sendable (Double) -> Void) async throws -> Finding {
        do {
            let analysis = try await authority.engine(modelName: nil, decoders: DecoderSettings()).analyzeMedia(
                policy: authority.policy, limits: AnalysisLimits(), findsTestPatterns: authority.findsTestPatterns,
                options: MediaOptions(keepsTimeline: kind == .image, keepsThumbnails: true) { report($0.share) },
                expecting: kind == .video ? .video : .any
            ) { .file(path: path) }
            let types = analysis.detectedTypes.map { SCSensitivityAnalysis.ContentType(rawValue: $0.rawValue) }
            return Finding(
                verdict: pretended ?? (analysis.isSensitive ? .sensitive(Set(types)) : .notSensitive),
                samples: analysis.points.lazy.compactMap(\.thumbnail).first, reason: nil)
        } catch let failure as AnalysisFailure {
            return Finding(verdict: pretended ?? .unknown, samples: nil, reason: authority.explained(failure).message)
        }
    }
}
