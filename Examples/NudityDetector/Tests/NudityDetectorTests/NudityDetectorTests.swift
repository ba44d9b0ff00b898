// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NudityDetector
import SensitiveContentAnalysis
import Testing

/// In test mode the test pattern stands for nudity, so no other picture is needed.
struct NudityDetectorTests {
    private let detector: NudityDetector

    init() {
        // Before the first use of the library, which reads the variable once.
        setenv("SCA_TEST_MODE", "1", 1)
        detector = NudityDetector(modelName: nil, label: "sexuallyExplicit")
    }

    private static func picture(_ name: String) throws -> URL {
        try #require(Bundle.module.url(forResource: "Pictures/\(name)", withExtension: nil))
    }

    @Test("The detector is certain of the test pattern, and not of a photograph")
    func confidence() async throws {
        #expect(try await detector.confidence(forFileAt: Self.picture("pattern.png")) == 1)
        #expect(try await detector.confidence(forFileAt: Self.picture("photograph.jpg")) < 0.5)
        #expect(try await detector.confidence(for: Data(contentsOf: Self.picture("pattern.png"))) == 1)
    }

    @Test("The detector throws for a damaged picture and for a missing label")
    func failures() async throws {
        await #expect(throws: SensitivityAnalysisError.self) { try await detector.confidence(for: Data("GIF89a".utf8)) }
        let other = NudityDetector(modelName: nil, label: "NSFW")
        await #expect {
            try await other.confidence(forFileAt: Self.picture("photograph.jpg"))
        } throws: {
            $0.localizedDescription == "The model has no label NSFW. Its labels are: sexuallyExplicit."
        }
    }

    @Test(
        "The gate accepts a photograph, and refuses nudity and what could not be checked, and names faults of the server"
    )
    func gate() async throws {
        let gate = UploadGate(detector)
        #expect(await gate.decision(on: try Data(contentsOf: Self.picture("photograph.jpg"))) == .accepted)
        #expect(await gate.decision(on: try Data(contentsOf: Self.picture("pattern.png"))) != .accepted)
        guard case .refused(let reason) = await gate.decision(on: Data("no picture".utf8)) else {
            Issue.record("text was accepted")
            return
        }
        #expect(reason.hasPrefix("The picture could not be checked, so it was not posted. "))
        for (model, label, words) in [
            ("no-such-model", "NSFW", "The model no-such-model is not installed."), (nil, "nsfw", "no label nsfw"),
        ] {
            let gate = UploadGate(NudityDetector(modelName: model, label: label))
            let decision = await gate.decision(on: try Data(contentsOf: Self.picture("photograph.jpg")))
            guard case .unavailable(let reason) = decision else {
                Issue.record("\(decision)")
                continue
            }
            #expect(reason.contains(words))
        }
    }

    @Test("The form attaches a photograph without a question, and asks about nudity", arguments: [false, true])
    func form(isAttached: Bool) async throws {
        let form = PhotoForm(detector)
        let photograph = try Self.picture("photograph.jpg")
        let attached = try await form.photo(fromFileAt: photograph) { _ in
            Issue.record("the form asks about a photograph")
            return false
        }
        #expect(attached == (try Data(contentsOf: photograph)))
        let pattern = try Self.picture("pattern.png")
        let decided = try await form.photo(fromFileAt: pattern) { question in
            question == .mayShowNudity && isAttached
        }
        #expect(decided == (isAttached ? try Data(contentsOf: pattern) : nil))
    }
}
