// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import Foundation
package import HelperHost
internal import HelperProtocol

/// The real image decoder, for tests.
package enum RealDecoder {
    package static let service = MediaDecodingService(
        pool: HelperPool(
            locator: HelperLocator(
                name: HelperKind.imageDecoder.executableName, folders: [TestFiles.products.path]),
            maximumCount: 2, settings: HelperSettings(memoryLimit: AnalysisLimits().decoderMemory)))

    /// The ordinary limits with a longer decoding time, because these tests do not measure speed.
    package static let limits = AnalysisLimits { $0.maximumDecodingTime = .seconds(180) }

    /// Decodes a picture.
    ///
    /// - Parameter side: the length in pixels below which the decoder must reduce neither width nor height.
    package static func decode(
        _ url: URL, side: Int = 256, limits: AnalysisLimits = RealDecoder.limits, findsTestPatterns: Bool = false
    ) async throws -> DecodedPicture {
        guard let picture = try await content(of: url, side: side, limits, findsTestPatterns).get() else {
            throw AnalysisFailure(.unsupportedMedia, "The file holds, or can hold, several pictures.")
        }
        return picture
    }

    /// Returns the only picture of a file, or nil if the file holds several, or the content of another file.
    package static func content(
        of url: URL, side: Int = 256, _ limits: AnalysisLimits = RealDecoder.limits, _ findsTestPatterns: Bool = false
    ) async throws -> FileAnswer<DecodedPicture?> {
        let request = ImageRequest(
            minimumWidth: side, minimumHeight: side, limits: limits, findsTestPatterns: findsTestPatterns)
        let opened = try await service.open(
            { .file(path: url.path) }, OpenRequest(picture: request, preset: .thorough)
        ) { _ in }
        return opened.map { opened in
            switch opened {
            case .picture(let picture): picture
            case .sequence: nil
            }
        }
    }

    /// Decodes a picture of a format that only the video decoder decodes.
    package static func decodeStill(_ url: URL, side: Int = 256) async throws -> DecodedPicture {
        let service = MediaDecodingService(
            pool: HelperPool(
                locator: HelperLocator(
                    name: HelperKind.videoDecoder.executableName, folders: [TestFiles.products.path]),
                maximumCount: 1, settings: HelperSettings(memoryLimit: limits.decoderMemory)))
        let request = OpenRequest(
            picture: ImageRequest(minimumWidth: side, minimumHeight: side, limits: limits), preset: .thorough,
            sequence: .wholeFile)
        let opened = try await service.open({ .file(path: url.path) }, request) { media in
            _ = try await media.openTrack(0)
            guard case .frame(let picture, _, _) = try await media.next() else {
                throw AnalysisFailure(.malformedMedia, "The file has no picture.")
            }
            return picture
        }
        guard case .sequence(let picture) = try opened.get() else {
            throw AnalysisFailure(.unsupportedMedia, "The file is no sequence.")
        }
        return picture
    }

    /// Returns the pixels of the first view, row after row without padding.
    package static func pixels(_ url: URL, side: Int = 256) async throws -> [UInt8] {
        let picture = try await decode(url, side: side)
        return picture.views[0].bytes
    }
}

extension PixelImage {
    /// The pixels, row after row without padding.
    package var bytes: [UInt8] {
        storage.withBytes { memory in
            (0..<height).flatMap { row in
                memory[(offset + row * bytesPerRow)..<(offset + row * bytesPerRow + width * PixelImage.bytesPerPixel)]
            }
        }
    }
}

/// Returns the mean and the largest difference between two lists of levels.
package func difference(_ left: [UInt8], _ right: [UInt8]) -> (mean: Double, largest: Int) {
    guard left.count == right.count, !left.isEmpty else { return (.infinity, .max) }
    var sum = 0
    var largest = 0
    for (a, b) in zip(left, right) {
        let distance = abs(Int(a) - Int(b))
        sum += distance
        largest = max(largest, distance)
    }
    return (Double(sum) / Double(left.count), largest)
}
