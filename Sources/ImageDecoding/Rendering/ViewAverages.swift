// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CPixelLoops
internal import HelperProtocol
internal import HelperService

/// Averages every rendering of a picture that a viewer may show, in one pass over its rows.
///
/// A row holds one or more colours of three bytes for each pixel (one where the picture is grey), and opacity behind them
/// where the picture has any. Each colour is a rendering. With opacity it is three: over white, over black, and as it is,
/// since programs that convert pictures often drop opacity. Colours that are multiplied by opacity already have four more:
/// over white as they are, and divided by opacity in each of the three ways.
@safe
final class ViewAverages {
    private let sourceWidth: Int
    private let views: [(average: BlockAverage, format: CPixelLoops_Format, background: UInt8)]
    private var opaqueRow: [UInt8]
    /// Whether rows are the rendering itself.
    private let isPlain: Bool

    /// - Parameters:
    ///   - bandCount: the number of bytes of a pixel: 1 for grey; otherwise a multiple of 3, and 1 more with opacity.
    ///   - isPremultiplied: whether colours are multiplied by opacity already; they are then shown over black as they are.
    ///   - factors: how many columns and rows make a block.
    /// - Throws: `ambiguousRendering` where there are more renderings than may be judged.
    init(
        width: Int, height: Int, bandCount: Int, isPremultiplied: Bool = false,
        factors: (horizontal: Int, vertical: Int)
    ) throws(DecodingFailure) {
        sourceWidth = width
        isPlain = bandCount == 1 || bandCount == 3
        opaqueRow = isPlain ? [] : Array(repeating: 0, count: width * 3)
        let hasOpacity = bandCount > 1 && bandCount % 3 == 1
        var formats: [(CPixelLoops_Format, UInt8)] = []
        for first in stride(from: 0, to: max(1, bandCount - 2), by: 3) {
            func add(hasOpacity: Bool, isPremultiplied: Bool = false, isDivided: Bool = false, over background: UInt8) {
                formats.append(
                    (
                        CPixelLoops_Format(
                            size: bandCount, red: first, green: first + 1, blue: first + 2, opacity: bandCount - 1,
                            has_opacity: hasOpacity, is_premultiplied: isPremultiplied, is_divided: isDivided),
                        background
                    ))
            }
            if isPremultiplied, hasOpacity { add(hasOpacity: true, isPremultiplied: true, over: 255) }
            for isDivided in isPremultiplied && hasOpacity ? [false, true] : [false] {
                if hasOpacity {
                    add(hasOpacity: true, isDivided: isDivided, over: 255)
                    add(hasOpacity: true, isDivided: isDivided, over: 0)
                }
                add(hasOpacity: false, isDivided: isDivided, over: 0)
            }
        }
        guard formats.count <= Self.mostRenderings else {
            throw DecodingFailure(.ambiguousRendering, detail: "\(formats.count) renderings of one picture")
        }
        views = formats.map { format, background in
            (
                BlockAverage(width: width, height: height, bandCount: bandCount == 1 ? 1 : 3, factors: factors), format,
                background
            )
        }
    }

    /// Adds the next row.
    func add(_ row: UnsafePointer<UInt8>) {
        guard !isPlain else {
            unsafe views[0].average.add(row)
            return
        }
        for view in views {
            unsafe CPixelLoops_compose(row, sourceWidth, view.format, view.background, &opaqueRow)
            unsafe view.average.add(opaqueRow)
        }
    }

    struct Averages {
        /// The first is as a viewer shows it that obeys profiles, over white; the others differ visibly.
        var views: [[UInt8]]
        let width: Int
        let height: Int

        /// - Parameters:
        ///   - views: RGB pixels, at least one view.
        ///   - width: the width of the averages.
        init(_ views: [[UInt8]], width: Int) {
            self.views = views
            self.width = width
            height = views[0].count / (width * 3)
        }

        /// Adds views of the same picture that look different.
        ///
        /// - Parameter asSeen: whether parts of the picture are compared, as a person sees them, and not each level.
        /// - Throws: `ambiguousRendering` where more of them differ than may be judged, `outOfMemory`.
        mutating func add(_ others: [[UInt8]], asSeen: Bool = true) throws(DecodingFailure) {
            for other in others {
                var isKnown = false
                for view in views where !isKnown {
                    isKnown =
                        asSeen
                        ? try !PictureDifference(view, other, width: width, height: height).isVisible
                        : unsafe !CPixelLoops_differ(view, other, view.count, ViewAverages.visibleDifference)
                }
                if !isKnown { views.append(other) }
            }
            guard views.count <= ImageReply.maximumViewCount else {
                throw DecodingFailure(.ambiguousRendering, detail: "\(views.count) looks of one picture")
            }
        }
    }

    /// The averages of renderings that differ visibly, in RGB.
    ///
    /// - Throws: `ambiguousRendering` where more of them differ than may be judged.
    func finish() throws(DecodingFailure) -> Averages {
        var kept = Averages([views[0].average.finish()], width: views[0].average.width)
        try kept.add(views.dropFirst().map { $0.average.finish() }, asSeen: false)
        return kept
    }

    /// How far levels may be apart in two renderings that are judged as one.
    fileprivate static let visibleDifference: UInt8 = 2
    /// More than any picture has of which the renderings are known here; most are alike.
    private static let mostRenderings = 32
}
