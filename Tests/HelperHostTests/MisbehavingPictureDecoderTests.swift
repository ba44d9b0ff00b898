// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperHost
import HelperProtocol
import TestSupport
import Testing

@Suite("Decoders that misbehave while they write a picture for an app")
struct MisbehavingPictureDecoderTests {
    @Test func `A picture arrives in sealed memory of exactly its size`() async throws {
        let whole = try await PuppetService().wholePicture("whole none")
        #expect(whole.picture.memory.byteCount == 4 * 100 * 100)
        let isFilled = unsafe whole.picture.memory.withBytes { bytes in unsafe bytes.allSatisfy { $0 == 200 } }
        #expect(isFilled)
    }

    @Test(arguments: [
        ("whole too-large", AnalysisFailure.Code.decoderFailed), ("whole grown", .decoderFailed),
        ("whole beyond-limit", .decoderFailed), ("whole no-pixels", .decoderFailed),
        ("whole keeps-memory", .decoderFailed), ("whole wrong-reply", .decoderFailed),
        ("whole dies", .decoderFailed), ("whole fails", .malformedMedia),
    ])
    func `A decoder that gives an impossible answer about a picture gives out none`(
        words: String, code: AnalysisFailure.Code
    ) async throws {
        let service = PuppetService()
        do {
            _ = try await service.wholePicture(words)
            Issue.record("There is a picture.")
        } catch let failure as AnalysisFailure {
            #expect(failure.code == code)
        }
        // The next file has a decoder that works.
        _ = try await service.wholePicture("whole none")
    }

    @Test(
        arguments: [
            ("whole none", nil), ("whole grown", .decoderFailed), ("whole beyond-limit", .decoderFailed),
            ("whole no-pixels", .decoderFailed), ("whole keeps-memory", .decoderFailed),
            ("whole wrong-reply", .decoderFailed), ("whole dies", .decoderFailed), ("whole fails", .malformedMedia),
            ("whole backwards", .decoderFailed), ("whole late", .decoderFailed), ("whole endless", .decoderFailed),
        ] as [(String, AnalysisFailure.Code?)])
    func `A decoder that gives an impossible answer about frames ends the conversation`(
        words: String, code: AnalysisFailure.Code?
    ) async throws {
        let service = PuppetService()
        do {
            #expect(try await service.wholeFrameCount(words) == 3)
            #expect(code == nil)
        } catch let failure as AnalysisFailure {
            #expect(failure.code == code)
        }
        #expect(try await service.wholeFrameCount("whole none") == 3)
    }

    @Test(
        arguments: [
            ("whole none", nil), ("whole no-pixels", .decoderFailed), ("whole beyond-limit", .decoderFailed),
            ("whole too-large", .decoderFailed), ("whole keeps-memory", .decoderFailed),
            ("whole wrong-reply", .decoderFailed), ("whole dies", .decoderFailed), ("whole fails", .malformedMedia),
        ] as [(String, AnalysisFailure.Code?)])
    func `A decoder that gives an impossible answer about the copy of a film gives out none`(
        words: String, code: AnalysisFailure.Code?
    ) async throws {
        let service = PuppetService()
        do {
            #expect(try await service.remuxedByteCount(words) == 4 * 100 * 100)
            #expect(code == nil)
        } catch let failure as AnalysisFailure {
            #expect(failure.code == code)
        }
        #expect(try await service.remuxedByteCount("whole none") == 4 * 100 * 100)
    }
}
