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

    @Test func `Opacity of an item that is not there is judged as that of the primary picture`() async throws {
        var bytes = [UInt8](
            try Data(contentsOf: TestFiles.fixtures.appendingPathComponent("honest/limited-opacity.avif")))
        let name = Array("auxl".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
        // The numbers of the opacity and of its picture have two bytes each, and so has the count between them.
        #expect(bytes[(place + 6)..<(place + 8)] == [0, 1])
        bytes[place + 9] = 99
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture.avif")
            try Data(bytes).write(to: file)
            #expect(try await RegressionTests.outcome(of: file) == "notSensitive")
        }
    }

    @Test("All honest files that were refused once are present")
    func count() {
        #expect(Self.files.count == 23)
    }
}
