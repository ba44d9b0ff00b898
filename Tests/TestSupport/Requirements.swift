// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import Glibc

/// What a test needs and a machine may lack; a test that is skipped for it names it.
package enum Requirements {
    package static let modelRemedy =
        "The default model and OpenVINO are not installed. Run scripts/bootstrap --for test."

    /// Whether the default model and the inference library are installed.
    package static let hasModel: Bool = {
        let paths = InstallationPaths.ofThisProcess()
        func exists(_ folders: [String], _ name: String) -> Bool {
            folders.contains { FileManager.default.fileExists(atPath: "\($0)/\(name)") }
        }
        return exists(paths.models, "open-nsfw/model.onnx")
            && paths.inferenceLibraries.contains { folder in
                ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
                    .contains { $0.hasPrefix("libopenvino_c.so") }
            }
    }()
}

extension Requirements {
    package static let memoryLimitRemedy =
        "Sanitizers need all addresses, so decoders have no memory limit."

    /// Whether decoders have a limit of memory: not where they are built with a sanitizer, as the tests are.
    package static let hasMemoryLimit: Bool =
        unsafe dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil
}
