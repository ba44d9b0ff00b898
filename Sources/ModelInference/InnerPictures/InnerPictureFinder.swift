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
        guard isWorthSearching(view, maps, search) else { return [] }
        let found = RectangleFinder(in: view).rectangles().filter { isLargeEnough($0, view) }.map { rectangle in
            (rectangle, mapScores: mapScores(in: rectangle, of: view, maps))
        }
        // The order of equal scores is that of the clearest edges.
        let ordered = found.enumerated().sorted { first, second in
            let (one, other) = (first.element.mapScores.max() ?? 0, second.element.mapScores.max() ?? 0)
            return one == other ? first.offset < second.offset : one > other
        }
        let refinement = RectangleRefinement(in: view)
        var pictures: [InnerPicture] = []
        for (_, (rectangle, mapScores)) in ordered.prefix(min(search.count, InnerPictureSearch.mostInnerPictures)) {
            let refined = refinement.refined(rectangle)
            guard let part = view.cropped(to: refined) else { continue }
            pictures.append(InnerPicture(rectangle: refined, scores: try score(part), mapScores: mapScores))
        }
        return pictures
    }

    /// Whether a rectangle has so many pixels in the original picture that a model can judge it.
    ///
    /// Smaller ones are mostly parts of a photograph: all three false alarms among 300 photographs were, and no layout of the
    /// half on which this was chosen needed one.
    private func isLargeEnough(_ rectangle: UnitRectangle, _ view: PictureView) -> Bool {
        let width = (rectangle.right - rectangle.left) * Float(view.originalWidth)
        return min(width, (rectangle.bottom - rectangle.top) * Float(view.originalHeight)) >= Self.shortestSide
    }

    private static let shortestSide: Float = 150

    private func isWorthSearching(_ view: PictureView, _ maps: [PlaceMap?], _ search: InnerPictureSearch) -> Bool {
        let (longer, shorter) = (
            max(view.originalWidth, view.originalHeight), min(view.originalWidth, view.originalHeight)
        )
        guard Float(shorter) >= Self.shortestSide else { return false }
        // A long picture is squeezed so much that its places say little.
        guard search.warmth > 0, longer <= 2 * shorter else { return true }
        return zip(maps, outputs).contains { map, output in
            map.map { $0.highest(output.column, width: 3, height: 3).score >= search.warmth } ?? true
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
        let size = input.resize.size(ofPictureWithWidth: view.originalWidth, height: view.originalHeight)
        func places(_ start: Float, _ end: Float, _ resized: Int, _ tensor: Int, _ count: Int) -> Range<Int> {
            let first = Float(input.resize.start(ofTensorLength: tensor, in: resized))
            func place(_ share: Float) -> Int {
                Int(((share * Float(resized) - first) / Float(tensor) * Float(count)).rounded())
            }
            let lower = min(max(0, place(start)), count - 1)
            return lower..<min(max(place(end), lower + 1), count)
        }
        let columns = places(rectangle.left, rectangle.right, size.width, input.width, map.columns)
        let rows = places(rectangle.top, rectangle.bottom, size.height, input.height, map.rows)
        return PlaceMap.Window(
            left: columns.lowerBound, top: rows.lowerBound, width: columns.count, height: rows.count)
    }
}
