// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import DecoderHost
import Foundation
import TestSupport
import Testing

@Suite("Files that were judged wrongly once")
struct RegressionTests {
    static let files: [URL] = {
        let folder = TestFiles.fixtures.appendingPathComponent("regression")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0 != "README.md" }.map(folder.appendingPathComponent)
    }()

    @Test("are judged as the first part of their name says", arguments: files)
    func outcome(file: URL) async throws {
        let outcome: String
        do {
            let picture = try await RealDecoder.decode(file, findsTestPatterns: true)
            outcome = !picture.testPatterns.isEmpty ? "pattern" : picture.isDamaged ? "damaged" : "picture"
        } catch let failure as AnalysisFailure {
            outcome = failure.code.rawValue
        }
        #expect(file.lastPathComponent.hasPrefix("\(outcome)-"), "it was \(outcome)")
    }

    @Test("are all there")
    func count() {
        #expect(Self.files.count >= 5)
    }
}
