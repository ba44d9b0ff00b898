// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import DecoderHost
import DecoderProtocol
import Foundation
import TestSupport

/// A service whose decoder obeys the words in its media.
struct PuppetService {
    private let service: ImageDecodingService
    private var timeLimit: Duration

    init(
        decoder: String = "TestDecoder", folders: [String] = [TestFiles.products.path], count: Int = 1,
        omittedLayers: Set<SandboxLayer> = [], timeLimit: Duration = .seconds(10)
    ) {
        var settings = DecoderSettings(memoryLimit: 1 << 30)
        settings.omittedLayers = omittedLayers
        let locator = DecoderLocator(name: decoder, folders: folders)
        service = ImageDecodingService(
            pool: DecoderPool(locator: locator, maximumCount: count, settings: settings))
        self.timeLimit = timeLimit
    }

    /// The same decoders with another limit.
    func with(timeLimit: Duration) -> PuppetService {
        var other = self
        other.timeLimit = timeLimit
        return other
    }

    func decode(_ words: String) async throws -> DecodedPicture {
        let memory = try unsafe SealedMemory.filled(byteCount: words.utf8.count) {
            unsafe $0.copyBytes(from: words.utf8)
        }
        return try await service.decode(
            { .memory(memory) }, minimumWidth: 256, minimumHeight: 256, findsTestPatterns: false,
            limits: AnalysisLimits(maximumDecodingTime: timeLimit))
    }

    /// The code of the failure, or nil where there is a picture.
    func code(_ words: String) async throws -> AnalysisFailure.Code? {
        do {
            _ = try await decode(words)
            return nil
        } catch let failure as AnalysisFailure {
            return failure.code
        }
    }
}
