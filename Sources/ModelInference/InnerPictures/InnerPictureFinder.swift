// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// Finds pictures inside a picture, and judges each as a picture of its own.
///
/// The model sees a square of a few hundred pixels, in which a photograph inside a screenshot or a collage disappears. The
/// map tells where something may be, and straight edges tell where a picture begins and ends.
package struct InnerPictureFinder {
    private let input: ModelInput
    private let outputs: [ModelOutputPlace]

    package init(input: ModelInput, outputs: [ModelOutputPlace]) {
        (self.input, self.outputs) = (input, outputs)
    }

    /// Returns the warmest inner pictures of a view; none if the view is not warm enough to be searched.
    ///
    /// - Parameters:
    ///   - maps: for each output, the map of the view; nil for a model without one.
    ///   - score: judges a part of the view.
    package func innerPictures(
        of view: PictureView, maps: [PlaceMap?], _ search: InnerPictureSearch,
        scoring score: (PictureView) throws(ModelFailure) -> [Float]
    ) throws(ModelFailure) -> [InnerPicture] {
        let count = min(search.count, InnerPictureSearch.mostInnerPictures)
        guard count > 0 else { return [] }
        var pictures: [InnerPicture] = []
        func judge(
            _ rectangle: UnitRectangle, _ mapScores: [Float],
            _ scores: (PictureView) throws(ModelFailure) -> [Float]
        ) throws(ModelFailure) {
            // Two rectangles can have the same picture inside their borders.
            guard !pictures.contains(where: { $0.rectangle.overlap(with: rectangle) > Self.sameOverlap }),
                let part = view.cropped(to: rectangle)
            else { return }
            pictures.append(InnerPicture(rectangle: rectangle, scores: try scores(part), mapScores: mapScores))
        }
        let refinement = RectangleRefinement(in: view)
        // A picture between borders of one colour is judged without them, even if nothing shows in the map.
        let rest = refinement.withoutFlatBorders()
        if rest.area < Self.largestRest, isLargeEnough(rest, view) {
            try judge(rest, mapScores(in: rest, of: view, maps), score)
        }
        guard isWorthSearching(view, maps, search) else { return pictures }
        let found = RectangleFinder(in: view).rectangles().filter { isLargeEnough($0, view) }.map { rectangle in
            (rectangle, mapScores: mapScores(in: rectangle, of: view, maps))
        }
        for (rectangle, mapScores) in Self.ordered(found) where pictures.count < count {
            try judge(refinement.refined(rectangle), mapScores) { part throws(ModelFailure) in
                try confirmedScores(of: part, scoring: score)
            }
        }
        return pictures
    }

    /// Returns the scores of a part that count for the whole picture.
    ///
    /// Of many parts of a harmless picture, the highest score is often an accident: it disappears if the part is mirrored
    /// or cut a little smaller. Then the score of these two counts.
    private func confirmedScores(
        of part: PictureView, scoring score: (PictureView) throws(ModelFailure) -> [Float]
    ) throws(ModelFailure) -> [Float] {
        let scores = try score(part)
        guard scores.contains(where: { $0 >= Self.leastConfirmedScore }) else { return scores.map { $0 * Self.factor } }
        var others = [try score(part.mirrored())]
        if let inside = part.cropped(to: Self.inside) { others.append(try score(inside)) }
        return scores.indices.map { index in
            let other = others.map { $0[index] }.max() ?? 0
            let isConfirmed = scores[index] < Self.leastConfirmedScore || other >= scores[index] * Self.leastAgreement
            return (isConfirmed ? scores[index] : other) * Self.factor
        }
    }

    private typealias Found = (UnitRectangle, mapScores: [Float])

    /// Returns rectangles by the sum of their ranks: that by the score of their places, and that by clear edges.
    ///
    /// Neither rank is enough: in a picture of many rectangles, too many stand where something shows in the map.
    ///
    /// - Parameter found: the rectangles in the order of the finder.
    private static func ordered(_ found: [Found]) -> [Found] {
        let byScore = found.enumerated().sorted { first, second in
            let (one, other) = (first.element.mapScores.max() ?? 0, second.element.mapScores.max() ?? 0)
            return one == other ? first.offset < second.offset : one > other
        }
        let sums = byScore.enumerated().map { rank, each in (sum: rank + each.offset, rank: rank, found: each.element) }
        return sums.sorted { ($0.sum, $0.rank) < ($1.sum, $1.rank) }.map(\.found)
    }

    /// Returns the scores of the places of a view; nil if no output has a map, or if the maps have different places.
    package func placeScores(of view: PictureView, maps: [PlaceMap?]) -> PlaceScores? {
        let known = zip(maps, outputs).compactMap { map, output in map.map { (map: $0, column: output.column) } }
        guard let first = known.first?.map,
            known.allSatisfy({ $0.map.rows == first.rows && $0.map.columns == first.columns })
        else { return nil }
        // A larger map is reported in means of neighbouring places.
        let (height, width) = (Self.step(first.rows), Self.step(first.columns))
        let (tops, lefts) = (
            Array(stride(from: 0, to: first.rows, by: height)), Array(stride(from: 0, to: first.columns, by: width))
        )
        let scores = tops.flatMap { top in
            lefts.map { left in
                let window = PlaceMap.Window(
                    left: left, top: top, width: min(width, first.columns - left),
                    height: min(height, first.rows - top))
                return min(1, max(0, known.map { $0.map.score($0.column, in: window) }.max() ?? 0))
            }
        }
        return PlaceScores(
            rectangle: input.extent(inPictureWithWidth: view.originalWidth, height: view.originalHeight),
            rows: tops.count, columns: lefts.count, scores: scores)
    }

    /// The places of a row or a column whose mean is reported as one.
    private static func step(_ count: Int) -> Int { (count - 1) / PlaceScores.longestSide + 1 }

    /// Whether a rectangle has so many pixels in the original picture that a model can judge it.
    ///
    /// Smaller ones are mostly parts of a photograph: all three false alarms among 300 photographs were, and no layout of the
    /// half on which this was chosen needed one.
    private func isLargeEnough(_ rectangle: UnitRectangle, _ view: PictureView) -> Bool {
        let width = (rectangle.right - rectangle.left) * Float(view.originalWidth)
        return min(width, (rectangle.bottom - rectangle.top) * Float(view.originalHeight)) >= Self.shortestSide
    }

    private static let shortestSide: Float = 150
    /// The overlap from which on two rectangles have the same picture.
    private static let sameOverlap: Float = 0.95
    /// The score from which on a part is looked at again.
    private static let leastConfirmedScore: Float = 0.2
    /// The share of a part's score that its mirror image or its inside must have.
    private static let leastAgreement: Float = 0.25
    /// The part of a part that is looked at again.
    private static let inside = UnitRectangle(left: 0.03, top: 0.03, right: 0.97, bottom: 0.97)
    /// The factor on the scores of parts, since the highest score of many looks is higher than that of one.
    private static let factor: Float = 0.94
    /// The largest area of a picture between borders that is judged by itself.
    private static let largestRest: Float = 0.95
    /// The rows and the columns of places whose score tells whether a picture is warm.
    private static let warmSide = 3

    private func isWorthSearching(_ view: PictureView, _ maps: [PlaceMap?], _ search: InnerPictureSearch) -> Bool {
        let (longer, shorter) = (
            max(view.originalWidth, view.originalHeight), min(view.originalWidth, view.originalHeight)
        )
        guard Float(shorter) >= Self.shortestSide else { return false }
        // A long picture is squeezed so much that its places say little.
        guard search.warmth > 0, longer <= 2 * shorter else { return true }
        return zip(maps, outputs).contains { map, output in
            map.map { $0.highest(output.column, side: Self.warmSide) >= search.warmth } ?? true
        }
    }

    /// Returns the scores of a rectangle's places; none if an output has no map.
    private func mapScores(in rectangle: UnitRectangle, of view: PictureView, _ maps: [PlaceMap?]) -> [Float] {
        let scores = zip(maps, outputs).compactMap { map, output in
            map.map { $0.score(output.column, in: window(of: rectangle, in: $0, view)) }
        }
        return scores.count == outputs.count ? scores : []
    }

    /// Returns the places of a rectangle, at least one; a part that the model's input leaves out has the nearest places.
    private func window(of rectangle: UnitRectangle, in map: PlaceMap, _ view: PictureView) -> PlaceMap.Window {
        let extent = input.extent(inPictureWithWidth: view.originalWidth, height: view.originalHeight)
        func places(_ range: (Float, Float), of all: (Float, Float), _ count: Int) -> Range<Int> {
            func place(_ share: Float) -> Int {
                Int(((share - all.0) / (all.1 - all.0) * Float(count)).rounded())
            }
            let lower = min(max(0, place(range.0)), count - 1)
            return lower..<min(max(place(range.1), lower + 1), count)
        }
        let columns = places((rectangle.left, rectangle.right), of: (extent.left, extent.right), map.columns)
        let rows = places((rectangle.top, rectangle.bottom), of: (extent.top, extent.bottom), map.rows)
        return PlaceMap.Window(
            left: columns.lowerBound, top: rows.lowerBound, width: columns.count, height: rows.count)
    }
}
