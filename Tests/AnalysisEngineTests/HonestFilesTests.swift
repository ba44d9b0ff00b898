// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import TestSupport
import Testing

@Suite("Honest files that were refused once")
struct HonestFilesTests {
    private static let files: [URL] = {
        let folder = TestFiles.fixtures.appendingPathComponent("honest")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0 != "README.md" }.map(folder.appendingPathComponent)
    }()

    @Test(
        "A file as phones, cameras and common programs write it is judged, and is harmless", arguments: files,
        Campaign.cases([SamplingPreset.fast, .balanced, .thorough], gate: [.balanced]))
    func judged(file: URL, preset: SamplingPreset) async throws {
        #expect(try await RegressionTests.outcome(of: file, preset: preset) == "notSensitive")
    }

    @Test("All honest files that were refused once are present")
    func count() {
        #expect(Self.files.count == 23)
    }
}
