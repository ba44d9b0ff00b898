// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CPixelLoops

/// A picture that the resampler reads row by row: opaque pixels, or pixels of an app over a background.
package struct PictureView: Sendable {
    package private(set) var width: Int
    package private(set) var height: Int
    /// The size of the picture before a decoder reduced it, in pixels.
    private(set) var originalWidth: Int
    private(set) var originalHeight: Int
    private var layout: PixelLayout
    private var offset: Int
    private let storage: any PixelStorage
    private(set) var isMirrored = false
    /// The columns and rows of the pixels that are averaged to one.
    private var (columnsOfBlock, rowsOfBlock) = (1, 1)
    /// The grey level from 0 to 255 over which transparent pixels of an app are laid; opaque pixels ignore it.
    private let background: UInt8

    package init(_ image: PixelImage) {
        guard
            let layout = PixelLayout(
                width: image.width, height: image.height, bytesPerRow: image.bytesPerRow, format: .rgb24)
        else { preconditionFailure("An image has checked the same bounds.") }
        self.init(
            layout, image.storage, offset: image.offset, background: 255,
            originalSize: (image.originalWidth, image.originalHeight))
    }

    /// Returns the views of an app's pixels to score, one for each background that transparent pixels need.
    ///
    /// - Returns: nil if the storage is too small for the layout.
    package static func views(of layout: PixelLayout, in storage: any PixelStorage) -> [PictureView]? {
        guard storage.byteCount >= layout.byteCount else { return nil }
        return unsafe storage.withBytes { unsafe BackgroundComposer.backgrounds(of: layout, in: $0) }
            .map {
                PictureView(layout, storage, offset: 0, background: $0, originalSize: (layout.width, layout.height))
            }
    }

    /// Whether the pixels are averages that a decoder has made of a larger picture.
    var isReduced: Bool { width < originalWidth || height < originalHeight }

    /// Returns the view in averages of blocks of whole pixels, so that the slower resampler gets fewer of them.
    ///
    /// Decoders reduce pictures of files in the same way. A view that is reduced already is returned itself.
    ///
    /// - Parameter minimum: the least size in pixels; the result has at least ``samplesPerSide`` times that size.
    func reduced(toAtLeast minimum: (width: Int, height: Int)) -> PictureView {
        guard !isReduced else { return self }
        var view = self
        view.columnsOfBlock = min(
            max(1, width / (Self.samplesPerSide * minimum.width)), Self.mostColumnsOfBlock)
        view.rowsOfBlock = min(max(1, height / (Self.samplesPerSide * minimum.height)), Self.mostRowsOfBlock)
        view.width = (width + view.columnsOfBlock - 1) / view.columnsOfBlock
        view.height = (height + view.rowsOfBlock - 1) / view.rowsOfBlock
        return view
    }

    /// Returns the view with its columns in reverse order.
    func mirrored() -> PictureView {
        var view = self
        view.isMirrored.toggle()
        return view
    }

    /// Returns the part of a view that is not mirrored, as a picture of its own; nil if it has no pixel.
    func cropped(to rectangle: UnitRectangle) -> PictureView? {
        guard rectangle.isValid, rowsOfBlock == 1, columnsOfBlock == 1, !isMirrored else { return nil }
        func range(_ start: Float, _ end: Float, _ length: Int) -> Range<Int> {
            let (first, last) = (Int((start * Float(length)).rounded()), Int((end * Float(length)).rounded()))
            return first..<min(length, max(first, last))
        }
        let (columns, rows) = (
            range(rectangle.left, rectangle.right, width), range(rectangle.top, rectangle.bottom, height)
        )
        guard
            let cropped = PixelLayout(
                width: columns.count, height: rows.count, bytesPerRow: layout.bytesPerRow, format: layout.format)
        else { return nil }
        var view = self
        view.layout = cropped
        view.offset = offset + rows.lowerBound * layout.bytesPerRow + columns.lowerBound * layout.format.bytesPerPixel
        view.originalWidth = max(columns.count, originalWidth * columns.count / width)
        view.originalHeight = max(rows.count, originalHeight * rows.count / height)
        (view.width, view.height) = (columns.count, rows.count)
        return view
    }

    /// With four, an average over whole pixels followed by the resampler is as good as the resampler alone.
    private static let samplesPerSide = 4
    /// The bounds on blocks, whose sums of levels fit into 16 bits for each column.
    private static let (mostColumnsOfBlock, mostRowsOfBlock) = (255, 257)

    private init(
        _ layout: PixelLayout, _ storage: any PixelStorage, offset: Int, background: UInt8,
        originalSize: (width: Int, height: Int)
    ) {
        (width, height) = (layout.width, layout.height)
        (originalWidth, originalHeight) = originalSize
        self.layout = layout
        self.offset = offset
        self.storage = storage
        self.background = background
    }

    /// Calls the closure with a function that returns the RGB pixels of a row, valid until the function's next call.
    func withRows<Result>(_ body: ((Int) -> UnsafeRawBufferPointer) -> Result) -> Result {
        guard rowsOfBlock > 1 || columnsOfBlock > 1 else { return withStoredRows(body) }
        let length = layout.width * PixelImage.bytesPerPixel
        var sums = [UInt16](repeating: 0, count: length)
        var average = [UInt8](repeating: 0, count: width * PixelImage.bytesPerPixel)
        return withStoredRows { row in
            withoutActuallyEscaping(row) { row in
                unsafe average.withUnsafeMutableBytes { average in
                    unsafe body { index in
                        let first = index * rowsOfBlock
                        let count = min(rowsOfBlock, layout.height - first)
                        for offset in 0..<count {
                            unsafe CPixelLoops_add_row(
                                row(first + offset).assumingMemoryBound(to: UInt8.self).baseAddress, offset == 0,
                                length, &sums)
                        }
                        unsafe CPixelLoops_average_sums(
                            sums, layout.width, columnsOfBlock, count,
                            average.assumingMemoryBound(to: UInt8.self).baseAddress)
                        return UnsafeRawBufferPointer(average)
                    }
                }
            }
        }
    }

    /// Calls the closure with a function that returns the RGB pixels of a row that is not averaged.
    private func withStoredRows<Result>(_ body: ((Int) -> UnsafeRawBufferPointer) -> Result) -> Result {
        let length = layout.width * PixelImage.bytesPerPixel
        let isPlain = layout.format == .rgb24
        var row = [UInt8](repeating: 0, count: isPlain && !isMirrored ? 0 : length)
        return unsafe storage.withBytes { bytes in
            let pixels = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
            return unsafe row.withUnsafeMutableBytes { row in
                unsafe body { index in
                    if isPlain {
                        let start = index * layout.bytesPerRow
                        let stored = unsafe UnsafeRawBufferPointer(rebasing: pixels[start..<(start + length)])
                        guard isMirrored else { return stored }
                        unsafe row.copyMemory(from: stored)
                    } else {
                        unsafe BackgroundComposer.compose(index, of: layout, in: pixels, over: background, into: row)
                    }
                    if isMirrored { unsafe Self.reverse(row) }
                    return UnsafeRawBufferPointer(row)
                }
            }
        }
    }

    /// Reverses the order of the RGB pixels of a row.
    private static func reverse(_ row: UnsafeMutableRawBufferPointer) {
        var (first, last) = (0, row.count - PixelImage.bytesPerPixel)
        while first < last {
            for channel in 0..<PixelImage.bytesPerPixel { unsafe row.swapAt(first + channel, last + channel) }
            first += PixelImage.bytesPerPixel
            last -= PixelImage.bytesPerPixel
        }
    }
}
