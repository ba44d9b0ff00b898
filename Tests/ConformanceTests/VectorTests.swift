// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import ModelInference
import ModelStore
import TestSupport
import Testing

/// The committed vectors, which an independent implementation (Pillow and onnxruntime) made.
struct Vectors: Decodable {
    struct Picture: Decodable {
        let path: String
        let score: Double
        let reference: String
    }

    struct Model: Decodable {
        let sha256: String
    }

    let model: Model
    let pictures: [Picture]
}

@Suite("Committed vectors", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
struct VectorTests {
    static let folder = TestFiles.packageFolder.appendingPathComponent("Tests/ConformanceTests/Vectors")

    @Test("The pipeline agrees with the committed vectors")
    func agreement() async throws {
        let vectors = try JSONDecoder().decode(
            Vectors.self, from: Data(contentsOf: Self.folder.appendingPathComponent("vectors.json")))
        let pipeline = try OwnPipeline()
        #expect(vectors.model.sha256 == pipeline.manifest.sha256)
        #expect(vectors.pictures.count >= 24)
        #expect(vectors.pictures.count { (0.2...0.95).contains($0.score) } >= 6)
        var samples: [ConformanceCheck.Sample] = []
        for picture in vectors.pictures {
            let view = try await pipeline.view(Self.folder.appendingPathComponent(picture.path))
            let crop = try await RealDecoder.pixels(Self.folder.appendingPathComponent(picture.reference))
            samples.append(
                ConformanceCheck.Sample(
                    tensor: difference(pipeline.tensor(view), fedTensor(crop)),
                    score: abs(try await pipeline.score(view) - picture.score)))
        }
        let check = ConformanceCheck(samples: samples)
        print("committed vectors: \(check.summary)")
        #expect(check.violations == [])
    }

    @Test("Scores of one picture agree between formats and orientations within 0.03")
    func orientations() async throws {
        struct Scores: Decodable {
            let upright: Double
            let scoreIfOrientationIsIgnored: [String: Double]
        }
        let folder = TestFiles.fixtures.appendingPathComponent("orientation")
        let expected = try JSONDecoder().decode(
            Scores.self, from: Data(contentsOf: folder.appendingPathComponent("scores.json")))
        // The picture must be suitable to show the mistake.
        #expect(
            expected.scoreIfOrientationIsIgnored.filter { $0.key != "1" }
                .allSatisfy { abs($0.value - expected.upright) >= 0.1 })
        let pipeline = try OwnPipeline()
        var scores: [Double] = []
        for kind in ["png.png", "jpeg.jpg", "webp.webp", "heic.heic", "avif.avif", "tiff.tiff", "jxl.jxl"] {
            let parts = kind.split(separator: ".")
            for orientation in 1...8 {
                let view = try await pipeline.view(
                    folder.appendingPathComponent("\(parts[0])-\(orientation).\(parts[1])"))
                scores.append(try await pipeline.score(view))
            }
        }
        let (lowest, highest) = (scores.min() ?? 0, scores.max() ?? 1)
        print("orientations: \(scores.count) files, scores from \(lowest) to \(highest)")
        #expect(scores.count == 56 && highest - lowest <= 0.03)
    }
}
