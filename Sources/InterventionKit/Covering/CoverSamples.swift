// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
public import Foundation
public import SensitiveContentAnalysis

/// The few colours that remain of a covered picture, from which the picture cannot be restored.
///
/// ```swift
/// do {
///     let samples = try await CoverSamples(ofFileAt: fileURL)
///     view.show(try samples.picture(width: 320, height: 240))
/// } catch {
///     // A plain cover, since the picture may be sensitive.
///     view.displayCover(width: 320, height: 240)
/// }
/// ```
///
/// Each sample is the average of a large part of the picture. A full cover has at most 9 × 9 samples of 64 colours,
/// and nothing else. A blur filter could be undone in part, because it keeps a little of all detail.
public struct CoverSamples: Sendable, Hashable {
    private let samples: PixelSamples

    /// The number of samples in a row.
    public var width: Int { samples.width }
    /// The number of rows of samples.
    public var height: Int { samples.height }
    /// Red, green and blue of each sample, 0 to 255, row by row, the top row first.
    public var colors: [UInt8] { samples.colors }

    /// Reduces a picture to samples.
    ///
    /// - Parameters:
    ///   - image: the picture; transparent parts are composed on white.
    ///   - cover: the cover, which bounds the number of samples.
    /// - Throws: `SensitivityAnalysisError` with `invalidArgument` if `cover` is `none`.
    public init(of image: CGImage, cover: InterventionPresentation.Cover = .full) throws {
        guard let view = try image.views().first else {
            throw SensitivityAnalysisError(.internalFailure, message: "A picture has no view. Please report it.")
        }
        self.init(PixelSamples(view, try cover.detail))
    }

    /// Reduces the first picture of a file, which is decoded in a process of its own as for an analysis.
    ///
    /// - Parameters:
    ///   - fileURL: a local file: a picture, an animation or a video.
    ///   - cover: the cover, which bounds the number of samples.
    ///   - analyzer: the analyzer whose configuration applies.
    /// - Throws: `SensitivityAnalysisError` with `invalidArgument` if `cover` is `none`, with `analysisDisabled` under
    ///   a disabled policy, or with any code of an analysis; or `CancellationError`. The app then shows a plain cover.
    public init(
        ofFileAt fileURL: URL, cover: InterventionPresentation.Cover = .full,
        analyzer: SCSensitivityAnalyzer = SCSensitivityAnalyzer()
    ) async throws {
        self.init(try await analyzer.samples(try cover.detail, ofFileAt: fileURL))
    }

    /// Creates the samples of a picture that was reduced before.
    package init(_ samples: PixelSamples) {
        self.samples = samples
    }

    /// Returns a picture of the samples, smoothly enlarged.
    ///
    /// - Parameters:
    ///   - width: the width in pixels, from 1 to 65,535.
    ///   - height: the height in pixels, from 1 to 65,535.
    /// - Throws: `SensitivityAnalysisError` with `invalidArgument` for any other size, or more than 100,000,000 pixels.
    public func picture(width: Int, height: Int) throws -> CGImage {
        guard 1...65_535 ~= width, 1...65_535 ~= height, width * height <= 100_000_000 else {
            throw SensitivityAnalysisError(
                .invalidArgument,
                message: "A cover is from 1 to 65,535 pixels wide and high, and has 100,000,000 pixels at most.")
        }
        let (colors, count) = (samples.colors, self.width)
        let columns = Self.positions(count: width, samples: self.width)
        let rows = Self.positions(count: height, samples: self.height)
        var pixels = Data(capacity: width * height * 3)
        for row in rows {
            for column in columns {
                for channel in 0..<3 {
                    func color(_ x: Int, _ y: Int) -> Double { Double(colors[(y * count + x) * 3 + channel]) }
                    let upper =
                        color(column.low, row.low) * (1 - column.share) + color(column.high, row.low) * column.share
                    let lower =
                        color(column.low, row.high) * (1 - column.share) + color(column.high, row.high) * column.share
                    pixels.append(UInt8(upper * (1 - row.share) + lower * row.share + 0.5))
                }
            }
        }
        return try CGImage(width: width, height: height, pixelFormat: .rgb24, pixels: pixels)
    }

    /// Returns, for each pixel along an edge, the indices of the two nearest samples and the weight of the second.
    private static func positions(count: Int, samples: Int) -> [(low: Int, high: Int, share: Double)] {
        (0..<count).map { index in
            let position = (Double(index) + 0.5) * Double(samples) / Double(count) - 0.5
            let bounded = min(max(position, 0), Double(samples - 1))
            let low = Int(bounded)
            return (low, min(low + 1, samples - 1), bounded - Double(low))
        }
    }
}

extension InterventionPresentation.Cover {
    /// The largest amount of detail that samples for this cover may have.
    ///
    /// - Throws: `SensitivityAnalysisError` with `invalidArgument` for `none`.
    package var detail: PixelSamples.Detail {
        get throws(SensitivityAnalysisError) {
            switch self {
            case .full: return .cover
            case .coarse: return PixelSamples.Detail(maximumEdge: 28)
            case .fine: return PixelSamples.Detail(maximumEdge: 72)
            case .none:
                throw SensitivityAnalysisError(
                    .invalidArgument, message: "Nothing is covered, so there are no samples. Show the picture itself.")
            }
        }
    }
}
