// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The formats of frames that apps pass.
package enum VideoPixelFormat: Sendable, Hashable, CaseIterable {
    case bgra
    case rgba
    /// Red, green and blue without opacity.
    case rgb24
    /// A plane of luma and a plane with both colours for two columns and two rows, in video or full range.
    case nv12Video
    case nv12Full
    /// A plane of luma and a plane for each colour, in video or full range.
    case i420Video
    case i420Full

    package var planeCount: Int {
        switch self {
        case .bgra, .rgba, .rgb24: 1
        case .nv12Video, .nv12Full: 2
        case .i420Video, .i420Full: 3
        }
    }

    package var isFullRange: Bool { self == .nv12Full || self == .i420Full }

    /// The number of samples of a plane along each edge; a sample may have several bytes.
    package func size(ofPlane index: Int, width: Int, height: Int) -> (width: Int, height: Int) {
        index == 0 ? (width, height) : ((width + 1) / 2, (height + 1) / 2)
    }

    /// Returns the length of a row of a plane without padding, in bytes.
    package func rowLength(ofPlane index: Int, width: Int, height: Int) -> Int {
        size(ofPlane: index, width: width, height: height).width * bytesPerSample(ofPlane: index)
    }

    func byteCount(ofPlane index: Int, width: Int, height: Int) -> Int {
        rowLength(ofPlane: index, width: width, height: height)
            * size(ofPlane: index, width: width, height: height).height
    }

    /// Returns the memory of a frame without padding, in bytes.
    package func byteCount(width: Int, height: Int) -> Int {
        (0..<planeCount).reduce(0) { $0 + byteCount(ofPlane: $1, width: width, height: height) }
    }

    /// The size of a sample of a plane, in bytes.
    package func bytesPerSample(ofPlane index: Int) -> Int {
        switch self {
        case .bgra, .rgba: 4
        case .rgb24: 3
        case .nv12Video, .nv12Full: index == 0 ? 1 : 2
        case .i420Video, .i420Full: 1
        }
    }
}
