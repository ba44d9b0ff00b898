// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The pixels of a frame that an app passes: the planes, the visible part and the rotation.
package struct VideoPixels: Sendable {
    package let format: VideoPixelFormat
    /// The size of the whole frame, in pixels.
    package let width: Int
    package let height: Int
    package let planes: [Plane]
    /// The part of the frame that is shown, before the rotation.
    package let crop: Crop
    /// The number of quarter turns clockwise after which the frame is upright, from 0 to 3.
    package let quarterTurns: Int
    package let matrix: ColorMatrix

    /// The memory of a plane.
    package struct Plane: Sendable {
        package let storage: any PixelStorage
        /// The position of the first sample in the storage, in bytes.
        package let offset: Int
        package let bytesPerRow: Int

        package init(storage: any PixelStorage, offset: Int = 0, bytesPerRow: Int) {
            self.storage = storage
            self.offset = offset
            self.bytesPerRow = bytesPerRow
        }
    }

    /// A rectangle of pixels.
    package struct Crop: Sendable, Hashable {
        package var x: Int
        package var y: Int
        package var width: Int
        package var height: Int

        package init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// The factors between luma and colours, by the recommendation of the ITU that defines them.
    package enum ColorMatrix: Sendable, Hashable, CaseIterable {
        case bt601
        case bt709

        /// Returns the factors that players assume for a frame without a statement.
        package static func assumed(width: Int, height: Int) -> ColorMatrix {
            width >= 1280 || height > 576 ? .bt709 : .bt601
        }
    }

    /// Creates the description of a frame; nil if the numbers do not fit the memory or each other.
    package init?(
        format: VideoPixelFormat, width: Int, height: Int, planes: [Plane], crop: Crop? = nil, quarterTurns: Int = 0,
        matrix: ColorMatrix? = nil
    ) {
        let edges = 1...Self.maximumEdge
        let crop = crop ?? Crop(x: 0, y: 0, width: width, height: height)
        guard edges.contains(width), edges.contains(height), planes.count == format.planeCount,
            (0..<4).contains(quarterTurns), edges.contains(crop.width), edges.contains(crop.height), crop.x >= 0,
            crop.y >= 0, crop.x <= width - crop.width, crop.y <= height - crop.height,
            planes.count < 3 || planes[1].bytesPerRow == planes[2].bytesPerRow
        else { return nil }
        for (index, plane) in planes.enumerated() {
            let size = format.size(ofPlane: index, width: width, height: height)
            let rowBytes = size.width * format.bytesPerSample(ofPlane: index)
            guard (rowBytes...Self.maximumBytesPerRow).contains(plane.bytesPerRow), plane.offset >= 0,
                plane.offset <= plane.storage.byteCount,
                plane.bytesPerRow * (size.height - 1) + rowBytes <= plane.storage.byteCount - plane.offset
            else { return nil }
        }
        self.format = format
        self.width = width
        self.height = height
        self.planes = planes
        self.crop = crop
        self.quarterTurns = quarterTurns
        self.matrix = matrix ?? .assumed(width: width, height: height)
    }

    /// Creates the description of a frame whose planes lie one after the other without padding; nil if they do not fit.
    package init?(
        packed storage: any PixelStorage, format: VideoPixelFormat, width: Int, height: Int, matrix: ColorMatrix? = nil
    ) {
        var offset = 0
        let planes = (0..<format.planeCount).map { index in
            defer { offset += format.byteCount(ofPlane: index, width: width, height: height) }
            let length = format.rowLength(ofPlane: index, width: width, height: height)
            return Plane(storage: storage, offset: offset, bytesPerRow: length)
        }
        self.init(format: format, width: width, height: height, planes: planes, matrix: matrix)
    }

    /// The size of the visible part as it is shown, in pixels.
    package var shownSize: (width: Int, height: Int) {
        quarterTurns % 2 == 0 ? (crop.width, crop.height) : (crop.height, crop.width)
    }

    /// The longest edge of a frame, in pixels; codecs and displays have shorter ones.
    package static let maximumEdge = 16_384
    private static let maximumBytesPerRow = 1 << 20
}

extension VideoPixels {
    /// Calls the closure with the memory of all planes, from each plane's first sample on.
    func withPlanes<Result>(_ body: ([UnsafeRawBufferPointer]) throws -> Result) rethrows -> Result {
        try unsafe withPlanes(from: 0, [], body)
    }

    private func withPlanes<Result>(
        from index: Int, _ known: [UnsafeRawBufferPointer], _ body: ([UnsafeRawBufferPointer]) throws -> Result
    ) rethrows -> Result {
        guard index < planes.count else { return try unsafe body(known) }
        return try unsafe planes[index].storage.withBytes { bytes in
            let plane = unsafe UnsafeRawBufferPointer(rebasing: bytes[planes[index].offset...])
            return try unsafe withPlanes(from: index + 1, known + [plane], body)
        }
    }

    /// The visible part, extended to whole samples of colour.
    var sampledCrop: Crop {
        guard planes.count > 1 else { return crop }
        let (x, y) = (crop.x & ~1, crop.y & ~1)
        return Crop(x: x, y: y, width: crop.x - x + crop.width, height: crop.y - y + crop.height)
    }
}
