// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import ArgumentParser
internal import FileAccess
internal import Foundation
internal import HelperHost
internal import InterventionKit
internal import SensitiveContentAnalysis

/// The file that `sca intervene` demonstrates, with its check and its cover.
struct DemonstrationMedia: Sendable {
    let path: String
    let authority: AnalysisAuthority
    /// The verdict that replaces the verdict of the check; nil to use the verdict of the check.
    let pretended: MediaVerdict?

    /// The result of a check.
    struct Finding: Sendable {
        let verdict: MediaVerdict
        let kind: InterventionKit.MediaKind
        /// The reason why the check failed, for the person who named the file; nil if the check succeeded.
        let reason: String?
    }

    var name: String { TerminalText.printable(URL(fileURLWithPath: path).lastPathComponent) }

    /// The likely kind of the file by its name, before its content is known.
    var likelyKind: InterventionKit.MediaKind { MediaFileName.isLikelyVideo(path) ? .video : .image }

    /// - Throws: `ValidationError` if the file cannot be opened, because there is nothing to demonstrate then.
    func checkThatItCanBeOpened() throws {
        let problem: String
        let type = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)[.type]
        switch type as? FileAttributeType {
        case .typeDirectory?: problem = "This is a folder. Name one picture or video in it."
        case .typeRegular?, nil:
            do {
                _ = try OwnedDescriptor.openRegularFile(at: path)
                return
            } catch {
                problem = error.message
            }
        default: problem = "This is no regular file. Save the picture or video to a file, and name that."
        }
        throw ValidationError("\(TerminalText.printable(path)): \(problem)")
    }

    func check(_ report: @escaping @Sendable (Double) -> Void) async throws -> Finding {
        do {
            let request = authority.request(options: MediaOptions { report($0.share) })
            let analysis = try await engine.analyzeMedia(request, isLikelyVideo: likelyKind == .video) { [path] in
                .file(path: path)
            }.get()
            let types = analysis.detectedTypes.map { SCSensitivityAnalysis.ContentType(rawValue: $0.rawValue) }
            return Finding(
                verdict: pretended ?? (analysis.isSensitive ? .sensitive(Set(types)) : .notSensitive),
                kind: [.image, .pages].contains(analysis.kind) ? .image : .video, reason: nil)
        } catch let failure as AnalysisFailure {
            var reason = authority.explained(failure).message
            if failure.code == .limitExceeded { reason += " (An option of sca analyze.)" }
            return Finding(verdict: pretended ?? .unknown, kind: likelyKind, reason: reason)
        }
    }

    /// Returns samples of the cover that an app would show; nil without a cover, or if no picture can be decoded.
    func samples(_ cover: InterventionPresentation.Cover) async throws -> CoverSamples? {
        guard let detail = try? cover.detail else { return nil }
        do {
            return CoverSamples(
                try await engine.samples(detail, limits: AnalysisLimits()) { [path] in
                    .file(path: path)
                })
        } catch is AnalysisFailure {
            return nil
        }
    }

    private var engine: MediaEngine { authority.engine(modelName: nil, decoders: HelperSettings()) }
}
