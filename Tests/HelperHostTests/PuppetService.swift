// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import HelperProtocol
import TestSupport

/// A decoding service with `TestDecoder`, which obeys the words in its media.
struct PuppetService {
    private let service: MediaDecodingService
    private var timeLimit: Duration

    init(
        decoder: String = "TestDecoder", folders: [String] = [TestFiles.products.path], count: Int = 1,
        omittedLayers: Set<SandboxLayer> = [], timeLimit: Duration = .seconds(10)
    ) {
        var settings = HelperSettings(memoryLimit: 1 << 30)
        settings.omittedLayers = omittedLayers
        let locator = HelperLocator(name: decoder, folders: folders)
        let pool = HelperPool(locator: locator, maximumCount: count, settings: settings)
        service = MediaDecodingService(pool: pool)
        self.timeLimit = timeLimit
    }

    /// Returns a service with the same decoders and another time limit.
    func with(timeLimit: Duration) -> PuppetService {
        var other = self
        other.timeLimit = timeLimit
        return other
    }

    func decode(_ words: String) async throws -> DecodedPicture {
        let memory = try SealedMemory.copying(words.utf8)
        let request = ImageRequest(
            minimumWidth: 256, minimumHeight: 256, limits: AnalysisLimits { $0.maximumDecodingTime = timeLimit })
        let opened = try await service.open({ .memory(memory) }, OpenRequest(picture: request, preset: .thorough)) {
            _ in
        }
        guard case .picture(let picture) = try opened.get() else {
            throw AnalysisFailure(.unsupportedMedia, "It is a film.")
        }
        return picture
    }

    /// Returns the picture that an app displays, with edges of at most 100 pixels.
    func wholePicture(_ words: String) async throws -> WholePicture {
        let memory = try SealedMemory.copying(words.utf8)
        let request = WholePictureRequest(
            limits: AnalysisLimits { $0.maximumDecodingTime = timeLimit }, maximumEdge: 100)
        guard case .picture(let picture) = try await service.wholePicture({ .memory(memory) }, request).get() else {
            throw AnalysisFailure(.unsupportedMedia, "It is decoded elsewhere.")
        }
        return picture
    }

    /// Returns the size of the copy of a film.
    func remuxedByteCount(_ words: String) async throws -> Int {
        let memory = try SealedMemory.copying(words.utf8)
        let limits = AnalysisLimits { $0.maximumDecodingTime = timeLimit }
        let request = RemuxRequest(limits: limits, container: .mp4, keepsSound: true)
        return try await service.remuxed({ .memory(memory) }, request).get().byteCount
    }

    /// Returns the number of frames that a decoder gives out.
    func wholeFrameCount(_ words: String) async throws -> Int {
        let memory = try SealedMemory.copying(words.utf8)
        let limits = AnalysisLimits {
            $0.maximumDecodingTime = timeLimit
            $0.maximumFrameCount = 100
        }
        let request = WholePictureRequest(limits: limits, maximumEdge: 100)
        let answer = try await service.wholeFrames({ .memory(memory) }, request) { frames in
            var count = 0
            while case .frame = try await frames.next() { count += 1 }
            return count
        }
        guard case .frames(let count) = try answer.get() else {
            throw AnalysisFailure(.unsupportedMedia, "It is decoded elsewhere.")
        }
        return count
    }

    /// Returns the code of the failure of a film, or nil if all its frames are decoded.
    func code(ofFilm words: String) async throws -> AnalysisFailure.Code? {
        do {
            _ = try await frameCount(ofFilm: words)
            return nil
        } catch let failure as AnalysisFailure {
            return failure.code
        }
    }

    /// Returns the number of frames in the only track of a film.
    func frameCount(ofFilm words: String) async throws -> Int {
        let memory = try SealedMemory.copying(words.utf8)
        let limits = AnalysisLimits {
            $0.maximumDecodingTime = timeLimit
            $0.maximumFrameCount = 50
        }
        let request = OpenRequest(
            picture: ImageRequest(minimumWidth: 256, minimumHeight: 256, limits: limits), preset: .thorough)
        let opened = try await service.open({ .memory(memory) }, request) { media in
            _ = try await media.openTrack(0)
            var count = 0
            while case .frame = try await media.next() { count += 1 }
            return count
        }
        guard case .sequence(let count) = try opened.get() else {
            throw AnalysisFailure(.unsupportedMedia, "It is a picture.")
        }
        return count
    }

    /// Returns the code of the failure, or nil if the decoder returns a picture.
    func code(_ words: String) async throws -> AnalysisFailure.Code? {
        do {
            _ = try await decode(words)
            return nil
        } catch let failure as AnalysisFailure {
            return failure.code
        }
    }
}
