// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import TestSupport
import Testing

/// The large set of pictures that IntegrationTests/conformance makes, with the scores of the reference.
struct ReferenceSet: Decodable {
    struct Variant: Decodable {
        let score: Double
        let tensor: String
    }

    struct Picture: Decodable {
        let path: String
        let score: Double
        let tensor: String
        let variants: [String: Variant]?
    }

    /// The set contains every Nth picture of the whole set; this number is N.
    let every: Int
    let pictures: [Picture]

    static let folder = ProcessInfo.processInfo.environment["SCA_CONFORMANCE"].map { URL(fileURLWithPath: $0) }

    static func read() throws -> (ReferenceSet, URL) {
        let folder = try #require(folder)
        let data = try Data(contentsOf: folder.appendingPathComponent("reference.json"))
        return (try JSONDecoder().decode(ReferenceSet.self, from: data), folder)
    }
}

/// Returns the 32-bit floating-point numbers in a file, which are little-endian like every supported machine.
private func floats(_ url: URL) throws -> [Float] {
    let data = try Data(contentsOf: url)
    return unsafe data.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count, by: 4).map { unsafe bytes.loadUnaligned(fromByteOffset: $0, as: Float.self) }
    }
}

@Suite(
    "The large reference set",
    .enabled(
        if: ReferenceSet.folder != nil && Requirements.hasModel,
        "The set is not there. IntegrationTests/conformance/run makes it and sets SCA_CONFORMANCE."))
struct ReferenceSetTests {
    @Test("PNGs agree in tensor and score")
    func pictures() async throws {
        let (set, folder) = try ReferenceSet.read()
        let pipeline = try OwnPipeline()
        let pictures = set.pictures.filter { $0.path.hasPrefix("png/") }
        #expect(pictures.count >= 200 / set.every)
        #expect(pictures.count { (0.2...0.95).contains($0.score) } >= 30 / set.every)
        var samples: [ConformanceCheck.Sample] = []
        for picture in pictures {
            let view = try await pipeline.view(folder.appendingPathComponent(picture.path))
            let crop = Array(try Data(contentsOf: folder.appendingPathComponent(picture.tensor)))
            samples.append(
                ConformanceCheck.Sample(
                    tensor: difference(pipeline.tensor(view), fedTensor(crop)),
                    score: abs(try await pipeline.score(view) - picture.score)))
        }
        let check = ConformanceCheck(samples: samples)
        print("PNGs: \(check.summary)")
        #expect(check.violations == [])
    }

    @Test("JPEGs of 12 megapixels agree in score, although they are reduced while they are decoded")
    func largePictures() async throws {
        let (set, folder) = try ReferenceSet.read()
        let pipeline = try OwnPipeline()
        let pictures = set.pictures.filter { $0.path.hasPrefix("jpeg/") }
        #expect(pictures.count >= 100 / set.every)
        var differences: [Double] = []
        for picture in pictures {
            let view = try await pipeline.view(folder.appendingPathComponent(picture.path))
            differences.append(abs(try await pipeline.score(view) - picture.score))
        }
        differences.sort()
        let mean = differences.reduce(0, +) / Double(differences.count)
        let percentile99 = differences[Int((Double(differences.count) * 0.99).rounded(.up)) - 1]
        print("JPEGs: \(differences.count) pictures: score mean \(mean), 99th percentile \(percentile99)")
        #expect(mean <= 0.005 && percentile99 <= 0.04)
    }

    @Test(
        "Wrong pipelines do not pass the check",
        arguments: ["channels-swapped", "mean-left-out", "nearest-neighbour", "no-crop", "bicubic"])
    func wrongPipelines(variant: String) throws {
        let (set, folder) = try ReferenceSet.read()
        var samples: [ConformanceCheck.Sample] = []
        for picture in set.pictures {
            guard let wrong = picture.variants?[variant] else { continue }
            let crop = Array(try Data(contentsOf: folder.appendingPathComponent(picture.tensor)))
            samples.append(
                ConformanceCheck.Sample(
                    tensor: difference(try floats(folder.appendingPathComponent(wrong.tensor)), fedTensor(crop)),
                    score: abs(wrong.score - picture.score)))
        }
        #expect(samples.count >= 30 / set.every)
        let check = ConformanceCheck(samples: samples)
        print("\(variant): \(check.summary)")
        // Both the tensor and the score exceed their bounds, so each check alone finds the mistake.
        #expect(check.violations.contains { $0.hasPrefix("tensor") })
        #expect(check.violations.contains { $0.hasPrefix("score") })
    }
}
