// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperHost
import HelperProtocol
import ModelStore
import TestSupport
import Testing

@testable import AnalysisEngine
@testable import ModelInference

@Suite("Pictures inside a picture", .enabled(if: Requirements.hasModel, Comment(rawValue: Requirements.modelRemedy)))
struct InnerPictureTests {
    /// The pixels of the known drawing with a middling score, which is 640 by 480 pixels large.
    private static let drawing = KnownDrawing.middling.pixels

    /// Returns a canvas with the drawing on it.
    private static func canvas(
        width: Int, height: Int, left: Int, top: Int, _ background: (Int, Int) -> [UInt8]
    ) throws -> PixelImage {
        try PreprocessorTests.image(width: width, height: height) { x, y in
            let (column, row) = (x - left, y - top)
            guard (0..<KnownDrawing.width).contains(column), (0..<KnownDrawing.height).contains(row) else {
                return background(x, y)
            }
            return Array(drawing[(row * KnownDrawing.width + column) * 3..<(row * KnownDrawing.width + column) * 3 + 3])
        }
    }

    private static func innerPictures(
        of image: PixelImage, warmth: Float = 0, count: Int = 16
    ) throws -> (whole: Float, inner: [InnerPicture]) {
        let loaded = try LoadedModel()
        let outputs = loaded.installed.manifest.outputs.map { ModelOutputPlace(name: $0.name, column: $0.column) }
        let finder = InnerPictureFinder(input: loaded.installed.manifest.input, outputs: outputs)
        let view = PictureView(image)
        let scores = try loaded.lane.scores(of: view)
        let inner = try finder.innerPictures(
            of: view, maps: try loaded.lane.maps(agreeingWith: scores),
            InnerPictureSearch(warmth: warmth, count: count)
        ) { part throws(ModelFailure) in try loaded.lane.scores(of: part) }
        return (scores[0], inner)
    }

    enum Surroundings: CaseIterable {
        case white, black, slope

        func color(_ x: Int, _ y: Int) -> [UInt8] {
            switch self {
            case .white: [255, 255, 255]
            case .black: [0, 0, 0]
            case .slope: [UInt8(x * 255 / 2000), UInt8(y * 255 / 2000), 128]
            }
        }
    }

    @Test(arguments: Surroundings.allCases)
    func `a picture on a large canvas is found to the pixel and has its own score but for the factor`(
        surroundings: Surroundings
    ) throws {
        let (width, height, left, top) = (1500, 1300, 700, 333)
        let image = try Self.canvas(width: width, height: height, left: left, top: top, surroundings.color)
        let (whole, inner) = try Self.innerPictures(of: image)
        #expect(whole < 0.3)
        let best = try #require(inner.max { $0.scores[0] < $1.scores[0] })
        // Between borders of one colour it is the picture itself; elsewhere it is one of many parts.
        let score: Float = surroundings == .slope ? 0.5374 * 0.94 : 0.5374
        #expect(abs(best.scores[0] - score) < 0.01, "\(inner)")
        let exact = UnitRectangle(
            left: Float(left) / Float(width), top: Float(top) / Float(height),
            right: Float(left + KnownDrawing.width) / Float(width),
            bottom: Float(top + KnownDrawing.height) / Float(height))
        #expect(best.rectangle.overlap(with: exact) > 0.98)
        #expect(best.mapScores.count == 1)
    }

    @Test func `a picture without straight edges inside has no inner picture`() throws {
        let image = try PreprocessorTests.image(width: KnownDrawing.width, height: KnownDrawing.height) { x, y in
            Array(Self.drawing[(y * KnownDrawing.width + x) * 3..<(y * KnownDrawing.width + x) * 3 + 3])
        }
        let (whole, inner) = try Self.innerPictures(of: image)
        #expect(whole > 0.5 && inner.isEmpty, "\(inner)")
    }

    @Test func `a cold picture is searched only if every picture is, or if it is longer than 2 to 1`() throws {
        let image = try Self.canvas(width: 1900, height: 1500, left: 60, top: 60, Surroundings.slope.color)
        #expect(try Self.innerPictures(of: image, warmth: 1).inner.isEmpty)
        #expect(try !Self.innerPictures(of: image, warmth: 0).inner.isEmpty)
        let long = try Self.canvas(width: 700, height: 1500, left: 30, top: 60, Surroundings.slope.color)
        #expect(try !Self.innerPictures(of: long, warmth: 1).inner.isEmpty)
    }

    @Test func `a picture between borders of one colour is judged without them, even if nothing shows in the map`()
        throws
    {
        let image = try Self.canvas(width: 1900, height: 1500, left: 60, top: 200, Surroundings.white.color)
        let inner = try Self.innerPictures(of: image, warmth: 1).inner
        #expect(inner.count == 1 && abs(inner[0].scores[0] - 0.5374) < 0.01, "\(inner)")
        #expect(try Self.innerPictures(of: image, warmth: 1, count: 0).inner.isEmpty)
    }

    @Test(arguments: [(3000, 5200), (640, 5000), (5000, 700)])
    func `a picture is found between borders however small its part of the whole is`(size: (Int, Int)) throws {
        let image = try Self.canvas(width: size.0, height: size.1, left: 0, top: 150, Surroundings.white.color)
        let inner = try Self.innerPictures(of: image, warmth: 1).inner
        #expect(inner.contains { abs($0.scores[0] - 0.5374) < 0.02 }, "\(inner)")
    }

    @Test(arguments: [
        (mirrored: Float(0.1), inside: Float(0.2), counted: Float(0.2)), (0.3, 0, 0.9), (0, 0.3, 0.9), (0.9, 0.9, 0.9),
    ])
    func `a high score of a part counts only if its mirror image or its inside has a quarter of it`(
        looks: (mirrored: Float, inside: Float, counted: Float)
    ) throws {
        let inner = try Self.scriptedInnerPicture(first: 0.9, mirrored: looks.mirrored, inside: looks.inside)
        #expect(inner.looks == 3)
        #expect(abs(inner.score - looks.counted * 0.94) < 1e-6)
    }

    @Test func `a low score of a part counts without another look`() throws {
        let inner = try Self.scriptedInnerPicture(first: 0.19, mirrored: 0, inside: 0)
        #expect(inner.looks == 1)
        #expect(abs(inner.score - 0.19 * 0.94) < 1e-6)
    }

    /// Returns the score and the number of looks of the only picture that is judged, for a model with scripted scores.
    private static func scriptedInnerPicture(
        first: Float, mirrored: Float, inside: Float
    ) throws -> (score: Float, looks: Int) {
        let image = try canvas(width: 1500, height: 1300, left: 700, top: 333, Surroundings.slope.color)
        let finder = InnerPictureFinder(
            input: try LoadedModel.installedModel().manifest.input,
            outputs: [ModelOutputPlace(name: "scores", column: 0)])
        var looks: [PictureView] = []
        let inner = try finder.innerPictures(
            of: PictureView(image), maps: [nil], InnerPictureSearch(warmth: 0, count: 1)
        ) { part throws(ModelFailure) in
            looks.append(part)
            return [part.isMirrored ? mirrored : part.width < looks[0].width ? inside : first]
        }
        return (try #require(inner.first).scores[0], looks.count)
    }

    @Test(arguments: [PixelFormat.rgb24, .rgba32])
    func `the rows of a mirrored view are those of the view from right to left`(format: PixelFormat) throws {
        let layout = try #require(
            PixelLayout(width: 5, height: 2, bytesPerRow: 5 * format.bytesPerPixel, format: format))
        let pixels = (0..<UInt8(layout.byteCount)).map { $0 % 4 == 3 ? 255 : $0 * 5 }
        let view = try #require(PictureView.views(of: layout, in: ArrayPixelStorage(pixels))?.first)
        func rows(_ view: PictureView) -> [[[UInt8]]] {
            view.withRows { row in
                (0..<view.height).map { index in
                    let bytes = [UInt8](row(index))
                    return stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<$0 + 3]) }
                }
            }
        }
        #expect(rows(view.mirrored()) == rows(view).map { $0.reversed() })
        #expect(rows(view.mirrored().mirrored()) == rows(view))
    }

    /// The rectangle without borders, of a picture whose pixels outside a part have other colours.
    private static func rest(
        width: Int = 400, height: Int = 300, _ columns: Range<Int>, _ rows: Range<Int>,
        border: (Int, Int) -> [UInt8]
    ) throws -> [Int] {
        let image = try PreprocessorTests.image(width: width, height: height) { x, y in
            columns.contains(x) && rows.contains(y) ? [UInt8((x * 7 + y * 5) % 200), 60, 90] : border(x, y)
        }
        let view = PictureView(image)
        let rest = view.withRows { PixelRectangle(of: view).withoutFlatBorders($0) }
        return [rest.left, rest.top, rest.right, rest.bottom]
    }

    @Test(arguments: [
        [100, 80, 300, 200], [0, 80, 400, 200], [100, 0, 400, 300], [0, 0, 250, 300], [0, 0, 400, 300],
        [180, 140, 220, 170],
    ])
    func `borders of one colour are left out, whatever sides they are on and however an encoder has changed them`(
        edges: [Int]
    ) throws {
        let rest = try Self.rest(edges[0]..<edges[2], edges[1]..<edges[3]) { x, y in
            [UInt8(200 + (x + y) % 5), UInt8(250 - x % 4), UInt8(240 + y % 5)]
        }
        #expect(rest == edges)
    }

    @Test func `a border of two colours or of a slope stays, and so does a picture of one colour`() throws {
        #expect(
            try Self.rest(100..<300, 80..<200) { x, y in (x / 20 + y / 20) % 2 == 0 ? [9, 9, 9] : [90, 90, 90] } == [
                0, 0, 400, 300,
            ])
        #expect(try Self.rest(100..<300, 80..<200) { x, y in [UInt8(x / 2), UInt8(y / 2), 0] } == [0, 0, 400, 300])
        #expect(try Self.rest(0..<0, 0..<0) { _, _ in [7, 7, 7] } == [0, 0, 400, 300])
        // Only a line would be left.
        #expect(try Self.rest(190..<200, 0..<300) { _, _ in [7, 7, 7] } == [0, 0, 400, 300])
    }

    @Test(arguments: [0, 1, 3])
    func `no more inner pictures are judged than are asked for`(count: Int) throws {
        let image = try PreprocessorTests.image(width: 1200, height: 1200) { x, y in
            let isGutter = x % 400 < 12 || y % 400 < 12
            return isGutter ? [255, 255, 255] : [UInt8(x / 400 * 90), UInt8(y / 400 * 90), 120]
        }
        #expect(try Self.innerPictures(of: image, count: count).inner.count == count)
    }

    @Test func `a thumbnail of fewer than 150 pixels is not judged`() throws {
        let image = try PreprocessorTests.image(width: 600, height: 600) { x, y in
            (200..<345).contains(x) && (200..<345).contains(y) ? [200, 120, 90] : [255, 255, 255]
        }
        #expect(try Self.innerPictures(of: image).inner.isEmpty)
    }

    @Test func `the score of a picture inside a picture counts for views of files and for pixels of an app`()
        async throws
    {
        let installed = try LoadedModel.installedModel()
        let pool = HelperPool(try ModelRunnerTests.launcher(), maximumCount: 1)
        let model = RunnerModel(
            installed.manifest, ModelReplacement(of: installed.manifest), first: pool, full: nil)
        let image = try Self.canvas(width: 1300, height: 1000, left: 130, top: 200, Surroundings.white.color)
        let layout = try #require(
            PixelLayout(width: image.width, height: image.height, bytesPerRow: image.width * 3, format: .rgb24))
        let sealed = try SealedPicture(layout: layout, memory: SealedMemory.copying(image.bytes))
        for extent in [ScoringOptions.InnerPictures.none, .everywhere] {
            var options = ScoringOptions(readsLabels: true)
            options.innerPictures = extent
            for scores in [try await model.scores(of: [image], options), try await model.scores(of: sealed, options)] {
                let isFound = extent == .everywhere
                let verdict = try PictureVerdict(views: scores.views, policy: .descriptive)
                #expect(verdict.isSensitive == isFound && (abs(verdict.score - 0.5374) < 0.01) == isFound)
                #expect(scores.regions.map(\.contentType) == (isFound ? [.sexuallyExplicit] : []))
                #expect(scores.labels.first { $0.contentType != nil }?.value == verdict.score)
            }
        }
    }
}
