// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost
internal import ModelStore

/// A model in a process of its own.
struct RunnerModel: SensitivityModel {
    private let manifest: ModelManifest
    private let replacement: ModelReplacement
    private let service: ModelScoringService

    init(_ manifest: ModelManifest, _ replacement: ModelReplacement, first: HelperPool, full: HelperPool?) {
        self.manifest = manifest
        self.replacement = replacement
        service = ModelScoringService(first: first, full: full, outputCount: manifest.outputs.count)
    }

    var isReplaced: Bool { replacement.hasHappened }

    func warmUp() async throws { try await service.warmUp() }

    var name: String { manifest.name }
    var minimumWidth: Int { manifest.input.resize.width }
    var minimumHeight: Int { manifest.input.resize.height }

    func scores(of views: [PixelImage]) async throws -> [[ContentScore]] {
        content(try await service.scores(of: views))
    }

    func scores(of picture: SealedPicture) async throws -> [[ContentScore]] {
        content(try await service.scores(of: picture))
    }

    private func content(_ scores: [[Float]]) -> [[ContentScore]] {
        scores.map { view in
            zip(view, manifest.outputs).map { value, output in
                ContentScore(
                    contentType: ContentType(rawValue: output.contentType), value: value,
                    thresholds: output.thresholds)
            }
        }
    }
}
