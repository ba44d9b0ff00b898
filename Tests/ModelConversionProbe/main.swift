// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelConversion

// Converts each .mlmodel file and each .mlpackage of a folder to an .onnx file beside it, or writes the refusal to a .txt file.

guard let folder = CommandLine.arguments.dropFirst().first else {
    FileHandle.standardError.write(Data("ModelConversionProbe FOLDER\n".utf8))
    exit(64)
}
func content(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
let names = try FileManager.default.contentsOfDirectory(atPath: folder)
for name in names.sorted() where name.hasSuffix(".mlmodel") || name.hasSuffix(".mlpackage") {
    let path = "\(folder)/\(name)"
    let stem = path.prefix(upTo: path.lastIndex(of: ".") ?? path.endIndex)
    let data = "\(path)/Data/com.apple.CoreML"
    do {
        let file =
            name.hasSuffix(".mlmodel")
            ? try CoreMLFile(try content(path))
            : try CoreMLFile(
                try content("\(data)/model.mlmodel"), weights: (try? content("\(data)/weights/weight.bin")) ?? [])
        try Data(try file.converted().bytes).write(to: URL(fileURLWithPath: "\(stem).onnx"))
    } catch let failure as ConversionFailure {
        try Data(failure.message.utf8).write(to: URL(fileURLWithPath: "\(stem).txt"))
    }
}
