// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import ModelInference
import ModelStore
import TestSupport

/// Runs this project's pipeline from a file to the tensor and the score.
struct OwnPipeline {
    let model: LoadedModel
    var manifest: ModelManifest { model.installed.manifest }

    init() throws { model = try LoadedModel() }

    func view(_ url: URL) async throws -> PixelImage {
        try await RealDecoder.decode(url, side: manifest.input.resize.width).views[0]
    }

    func tensor(_ view: PixelImage) -> [Float] {
        let preprocessor = Preprocessor(manifest.input)
        var values = [Float](repeating: 0, count: preprocessor.valueCount)
        unsafe values.withUnsafeMutableBufferPointer { unsafe preprocessor.write(PictureView(view), into: $0) }
        return values
    }

    func score(_ view: PixelImage) async throws -> Double {
        Double(try model.score(view))
    }
}

/// Returns the input tensor of the model for the crop of the reference: 8-bit RGB, row after row.
func fedTensor(_ crop: [UInt8]) -> [Float] {
    let means: [Float] = [104, 117, 123]
    return crop.indices.map { index in Float(crop[index / 3 * 3 + 2 - index % 3]) - means[index % 3] }
}

func difference(_ left: [Float], _ right: [Float]) -> (mean: Double, largest: Double) {
    guard left.count == right.count, !left.isEmpty else { return (.infinity, .infinity) }
    var (sum, largest) = (0.0, 0.0)
    for (a, b) in zip(left, right) {
        let distance = Double(abs(a - b))
        sum += distance
        largest = max(largest, distance)
    }
    return (sum / Double(left.count), largest)
}
