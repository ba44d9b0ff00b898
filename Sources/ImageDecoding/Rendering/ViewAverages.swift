// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CPixelLoops
internal import DecoderService
internal import HelperProtocol

/// Averages every rendering of a picture that a viewer may show, in one pass over its rows.
///
/// A row holds one or more colours of three bytes for each pixel, or one byte if the picture is grey. Opacity follows
/// if there is any. Each colour is a rendering. With opacity, a colour makes three: over white, over black, and
/// unchanged, because programs that convert pictures often drop opacity. Colours that are already multiplied by opacity
/// make four more: over white unchanged, and the three renderings after division by opacity.
@safe
final class ViewAverages {
    private let sourceWidth: Int
    private let views: [(average: BlockAverage, format: CPixelLoops_Format, background: UInt8)]
    private var opaqueRow: [UInt8]
    /// Whether a row is itself the only rendering, because it has one colour or grey level a pixel and no opacity.
    private let isPlain: Bool

    /// - Parameters:
    ///   - bandCount: the number of bytes of a pixel: 1 for grey; otherwise a multiple of 3, and 1 more with opacity.
    ///   - isPremultiplied: whether colours are already multiplied by opacity; over black, they are shown unchanged.
    ///   - factors: the number of columns and rows of a block.
    /// - Throws: `ambiguousRendering` if there are more renderings than may be judged.
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
        guard formats.count <= Self.mostRenderings else { throw DecodingFailure(.manyRenderings(formats.count)) }
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
        /// The first view is that of a viewer that obeys profiles, over white; the others differ visibly.
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
        /// - Parameter asSeen: whether views are compared by parts, as a person sees them; otherwise by each level.
        /// - Throws: `ambiguousRendering` if more views differ than may be judged, `outOfMemory`.
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
            guard views.count <= ImageReply.maximumViewCount else { throw DecodingFailure(.manyLooks(views.count)) }
        }
    }

    /// Returns the averages of renderings that differ visibly, in RGB.
    ///
    /// - Throws: `ambiguousRendering` if more renderings differ than may be judged.
    func finish() throws(DecodingFailure) -> Averages {
        var kept = Averages([views[0].average.finish()], width: views[0].average.width)
        try kept.add(views.dropFirst().map { $0.average.finish() }, asSeen: false)
        return kept
    }

    /// The largest difference of levels between two renderings that are judged as one.
    fileprivate static let visibleDifference: UInt8 = 2
    /// The largest number of renderings; known pictures have fewer, and most are alike.
    private static let mostRenderings = 32
}
