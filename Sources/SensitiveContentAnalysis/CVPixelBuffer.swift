// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Glibc
internal import HelperHost

#if !canImport(CoreVideo)
/// A frame of a video in memory, under the name of Apple's type, for systems without Core Video.
///
/// The initializers are not Apple's. The memory of a frame must not change from the call of
/// ``SCVideoStreamAnalyzer/analyze(_:)`` until the frame is no longer displayed.
public final class CVPixelBuffer: Sendable {
    /// The width in pixels, without crop and rotation.
    public let width: Int
    /// The height in pixels, without crop and rotation.
    public let height: Int
    /// The arrangement of the samples.
    public let pixelFormat: PixelFormat
    let memory: [FrameMemory]
    let pixels: VideoPixels

    /// The arrangement of the samples of a frame.
    public enum PixelFormat: Sendable, Hashable, CaseIterable {
        /// Blue, green, red and opacity, one byte each.
        case bgra32
        /// Red, green, blue and opacity, one byte each.
        case rgba32
        /// A plane of luma from 16 to 235, and a plane with a blue and a red difference for two columns and two rows.
        case nv12VideoRange
        /// The same with luma from 0 to 255.
        case nv12FullRange
        /// A plane of luma from 16 to 235, and a plane for each colour difference, for two columns and two rows.
        case i420VideoRange
        /// The same with luma from 0 to 255.
        case i420FullRange

        /// The number of planes.
        public var planeCount: Int { ofCore.planeCount }
    }

    /// The clockwise rotation after which a frame is upright.
    public enum Rotation: Int, Sendable, Hashable, CaseIterable {
        case none = 0
        case quarter = 90
        case half = 180
        case threeQuarters = 270
    }

    /// The part of a frame that is displayed, in pixels, before the rotation.
    public struct Crop: Sendable, Hashable {
        /// The first column.
        public var x: Int
        /// The first row.
        public var y: Int
        /// The number of columns.
        public var width: Int
        /// The number of rows.
        public var height: Int

        /// Creates a rectangle from its upper left corner and its size.
        public init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// The factors between luma and colours, by the recommendation of the ITU that defines them.
    public enum ColorMatrix: Sendable, Hashable, CaseIterable {
        case bt601
        case bt709
    }

    /// A plane in the memory of the app.
    @unsafe
    public struct Plane {
        /// The first sample.
        public var baseAddress: UnsafeRawPointer
        /// The distance between the starts of two rows, in bytes.
        public var bytesPerRow: Int

        /// Creates a plane.
        public init(baseAddress: UnsafeRawPointer, bytesPerRow: Int) {
            unsafe self.baseAddress = unsafe baseAddress
            unsafe self.bytesPerRow = bytesPerRow
        }
    }

    /// Creates a frame with memory of its own, filled with zeros.
    ///
    /// ```swift
    /// let pixelBuffer = try CVPixelBuffer(width: 640, height: 480, pixelFormat: .bgra32)
    /// let bytesPerRow = pixelBuffer.bytesPerRow(ofPlane: 0)
    /// unsafe pixelBuffer.withPlane(0) { memory in
    ///     for row in 0..<480 {
    ///         // Rows of the frame may be longer than those of the data.
    ///         unsafe memory[(row * bytesPerRow)...].copyBytes(from: data[(row * 640 * 4)..<((row + 1) * 640 * 4)])
    ///     }
    /// }
    /// streamAnalyzer.analyze(pixelBuffer)
    /// ```
    ///
    /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` for a size of 0 or of more than 16,384 pixels an
    ///   edge, and `limitExceeded` if memory ran out.
    public convenience init(width: Int, height: Int, pixelFormat: PixelFormat, matrix: ColorMatrix? = nil) throws {
        try Self.check(width, height)
        var (planes, memory): ([VideoPixels.Plane], [FrameMemory]) = ([], [])
        for index in 0..<pixelFormat.planeCount {
            let (bytesPerRow, rows) = pixelFormat.rows(ofPlane: index, width, height)
            // Rows begin at multiples of 64 bytes, as video libraries expect.
            let distance = (bytesPerRow + 63) / 64 * 64
            let plane = try FrameMemory.allocated(distance * rows)
            memory.append(plane)
            planes.append(VideoPixels.Plane(storage: plane, bytesPerRow: distance))
        }
        try self.init(width, height, pixelFormat, planes, memory, matrix)
    }

    /// Creates a frame over memory of the app, without copying it.
    ///
    /// ```swift
    /// let pixelBuffer = try unsafe CVPixelBuffer(
    ///     width: buffer.width, height: buffer.height, pixelFormat: .nv12VideoRange,
    ///     planes: [
    ///         .init(baseAddress: buffer.luma, bytesPerRow: buffer.lumaStride),
    ///         .init(baseAddress: buffer.chroma, bytesPerRow: buffer.chromaStride),
    ///     ]) { buffer.release() }
    /// streamAnalyzer.analyze(pixelBuffer)
    /// ```
    ///
    /// The memory must stay as it is until it is released.
    ///
    /// - Parameters:
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    ///   - pixelFormat: the arrangement of the samples.
    ///   - planes: the planes in their order; the memory holds all rows.
    ///   - matrix: the factors between luma and colours; nil for those that players assume for the size.
    ///   - release: a closure that is called soon after the frame is no longer needed, also after an error, on a
    ///     queue of the package.
    /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` if the planes do not fit the size.
    public convenience init(
        width: Int, height: Int, pixelFormat: PixelFormat, planes: [Plane], matrix: ColorMatrix? = nil,
        release: @escaping @Sendable () -> Void
    ) throws {
        let shared = SharedRelease(release)
        try Self.check(width, height)
        guard unsafe planes.count == pixelFormat.planeCount else { throw Self.misfit }
        var (described, memory): ([VideoPixels.Plane], [FrameMemory]) = ([], [])
        for index in 0..<pixelFormat.planeCount {
            let plane = unsafe planes[index]
            let (bytesPerRow, rows) = pixelFormat.rows(ofPlane: index, width, height)
            guard unsafe plane.bytesPerRow >= bytesPerRow, unsafe plane.bytesPerRow <= 1 << 20 else {
                throw Self.misfit
            }
            let borrowed = unsafe FrameMemory(
                UnsafeMutableRawPointer(mutating: plane.baseAddress),
                byteCount: plane.bytesPerRow * (rows - 1) + bytesPerRow, keeping: shared)
            memory.append(borrowed)
            described.append(VideoPixels.Plane(storage: borrowed, bytesPerRow: unsafe plane.bytesPerRow))
        }
        try self.init(width, height, pixelFormat, described, memory, matrix)
    }

    /// Creates a frame over a memory file or a buffer of a device (dmabuf).
    ///
    /// ```swift
    /// let pixelBuffer = try CVPixelBuffer(
    ///     width: 1920, height: 1080, pixelFormat: .nv12VideoRange, fileDescriptor: descriptor,
    ///     offsets: [0, 1920 * 1080], bytesPerRow: [1920, 1920])
    /// streamAnalyzer.analyze(pixelBuffer)
    /// ```
    ///
    /// A buffer of a device, and a memory file that is sealed against shrinking and writing, is mapped without copying.
    /// Any other file is copied, up to 2 GiB, because another process could shrink it or write to it.
    ///
    /// - Parameters:
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    ///   - pixelFormat: the arrangement of the samples.
    ///   - fileDescriptor: the descriptor, which stays open and the caller's own.
    ///   - offsets: the position of each plane in the file, in bytes.
    ///   - bytesPerRow: the distance between the starts of two rows of each plane, in bytes.
    ///   - matrix: the factors between luma and colours; nil for those that players assume for the size.
    /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` if the planes do not fit the file, and
    ///   `inputUnreadable` if it cannot be read.
    public convenience init(
        width: Int, height: Int, pixelFormat: PixelFormat, fileDescriptor: Int32, offsets: [Int], bytesPerRow: [Int],
        matrix: ColorMatrix? = nil
    ) throws {
        try Self.check(width, height)
        let count = pixelFormat.planeCount
        guard offsets.count == count, bytesPerRow.count == count else { throw Self.misfit }
        var end = 0
        for index in 0..<count {
            let (length, rows) = pixelFormat.rows(ofPlane: index, width, height)
            guard offsets[index] >= 0, offsets[index] <= 1 << 40, bytesPerRow[index] >= length,
                bytesPerRow[index] <= 1 << 20
            else { throw Self.misfit }
            end = max(end, offsets[index] + bytesPerRow[index] * (rows - 1) + length)
        }
        let file = try FrameMemory.ofFile(fileDescriptor, byteCount: end)
        let planes = (0..<count).map {
            VideoPixels.Plane(storage: file, offset: offsets[$0], bytesPerRow: bytesPerRow[$0])
        }
        try self.init(width, height, pixelFormat, planes, [file], matrix)
    }

    private init(
        _ width: Int, _ height: Int, _ format: PixelFormat, _ planes: [VideoPixels.Plane], _ memory: [FrameMemory],
        _ matrix: ColorMatrix?
    ) throws {
        guard
            let pixels = VideoPixels(
                format: format.ofCore, width: width, height: height, planes: planes, matrix: matrix?.ofCore)
        else { throw Self.misfit }
        (self.width, self.height, pixelFormat) = (width, height, format)
        (self.memory, self.pixels) = (memory, pixels)
    }

    /// Creates a frame over the memory of a decoded frame.
    init(_ frame: LiveStreamFrame) {
        (width, height) = (frame.pixels.width, frame.pixels.height)
        pixelFormat = frame.pixels.format.isFullRange ? .i420FullRange : .i420VideoRange
        (memory, pixels) = ([FrameMemory(frame.memory)], frame.pixels)
    }

    private init(_ pixels: VideoPixels, of whole: CVPixelBuffer) {
        (width, height, pixelFormat) = (whole.width, whole.height, whole.pixelFormat)
        (memory, self.pixels) = (whole.memory, pixels)
    }

    /// Returns the frame in the way in which it is displayed: a part of it, turned upright.
    ///
    /// ```swift
    /// // The camera is mounted upside down.
    /// for await pixelBuffer in call.frames {
    ///     streamAnalyzer.analyze(try pixelBuffer.displayed(rotated: .half))
    /// }
    /// ```
    ///
    /// The result shares the memory of the frame.
    ///
    /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` if the part lies outside the frame.
    public func displayed(cropping crop: Crop? = nil, rotated rotation: Rotation = .none) throws -> CVPixelBuffer {
        let part = crop.map { VideoPixels.Crop(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }
        guard
            let turned = VideoPixels(
                format: pixels.format, width: width, height: height, planes: pixels.planes, crop: part,
                quarterTurns: rotation.rawValue / 90, matrix: pixels.matrix)
        else {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "The displayed part lies outside the frame of \(width) × \(height) pixels.")
        }
        return CVPixelBuffer(turned, of: self)
    }

    /// Calls the closure with the bytes of a plane, from its first sample on.
    ///
    /// - Precondition: the index is below ``PixelFormat/planeCount``.
    public func withPlane<Result>(
        _ index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let (plane, storage) = (pixels.planes[index], memory[min(index, memory.count - 1)])
        return try unsafe body(UnsafeMutableRawBufferPointer(rebasing: storage.bytes[plane.offset...]))
    }

    /// Returns the distance between the starts of two rows of a plane, in bytes.
    ///
    /// - Precondition: the index is below ``PixelFormat/planeCount``.
    public func bytesPerRow(ofPlane index: Int) -> Int { pixels.planes[index].bytesPerRow }

    private static func check(_ width: Int, _ height: Int) throws {
        guard 1...VideoPixels.maximumEdge ~= width, 1...VideoPixels.maximumEdge ~= height else {
            throw SensitivityAnalysisError(
                .invalidArgument,
                message: "A frame has from 1 to \(VideoPixels.maximumEdge) pixels along each edge, and not"
                    + " \(width) × \(height).")
        }
    }

    private static var misfit: SensitivityAnalysisError {
        SensitivityAnalysisError(
            .invalidArgument,
            message: "The planes of a frame do not fit its size: each row holds all its samples and begins at most"
                + " 1,048,576 bytes after the row before it. Both colour planes of I420 have the same row length.")
    }
}

extension CVPixelBuffer.PixelFormat {
    var ofCore: VideoPixelFormat {
        switch self {
        case .bgra32: .bgra
        case .rgba32: .rgba
        case .nv12VideoRange: .nv12Video
        case .nv12FullRange: .nv12Full
        case .i420VideoRange: .i420Video
        case .i420FullRange: .i420Full
        }
    }

    /// Returns the bytes of a row without padding, and the number of rows of a plane.
    func rows(ofPlane index: Int, _ width: Int, _ height: Int) -> (byteCount: Int, count: Int) {
        let size = ofCore.size(ofPlane: index, width: width, height: height)
        return (size.width * ofCore.bytesPerSample(ofPlane: index), size.height)
    }
}

extension CVPixelBuffer.ColorMatrix {
    fileprivate var ofCore: VideoPixels.ColorMatrix {
        switch self {
        case .bt601: .bt601
        case .bt709: .bt709
        }
    }
}
#endif
