// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import Glibc

/// The requirements of tests that a machine may not meet; each skipped test names its requirement.
package enum Requirements {
    package static let modelRemedy =
        "The default model and OpenVINO are not installed. Run scripts/bootstrap --for test."

    /// Whether the default model and the inference library are installed.
    package static let hasModel = modelFolder != nil && inferenceFolder != nil

    /// The folder of models that holds the default model.
    package static let modelFolder = InstallationPaths.ofThisProcess().models.first {
        FileManager.default.fileExists(atPath: "\($0)/open-nsfw/model.onnx")
    }

    /// The folder of the inference library.
    static let inferenceFolder = InstallationPaths.ofThisProcess().inferenceLibraries.first { folder in
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .contains { $0.hasPrefix("libopenvino_c.so") }
    }

    package static let decoderRemedy =
        "The decoders are installed in /usr/local or /usr. To run this test, remove them with make uninstall."

    /// Whether a copy of the command `sca` finds only the decoders in its own folder.
    package static let hasNoInstalledDecoder = ["/usr/local", "/usr"].allSatisfy {
        !FileManager.default.fileExists(atPath: "\($0)/libexec/sensitive-content-analysis")
    }
}

extension Requirements {
    package static let memoryLimitRemedy =
        "Sanitizers need all addresses, so decoders have no memory limit."

    /// Whether decoders have a memory limit; they have none if the build has a sanitizer, like the tests themselves.
    package static let hasMemoryLimit: Bool =
        unsafe dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil
}
