// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelConversion

// Converts each .mlmodel file of a folder to an .onnx file beside it, or writes the refusal to a .txt file.

guard let folder = CommandLine.arguments.dropFirst().first else {
    FileHandle.standardError.write(Data("ModelConversionProbe FOLDER\n".utf8))
    exit(64)
}
let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".mlmodel") }
for file in files.sorted() {
    let stem = "\(folder)/\(file.dropLast(".mlmodel".count))"
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)")))
    do {
        let model = try CoreMLFile(bytes).converted()
        try Data(model.bytes).write(to: URL(fileURLWithPath: "\(stem).onnx"))
    } catch let failure as ConversionFailure {
        try Data(failure.message.utf8).write(to: URL(fileURLWithPath: "\(stem).txt"))
    }
}
