// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CPixelLoops
internal import HelperProtocol

/// The encodings of frames that are read, the cheapest first.
///
/// Source of the layouts and codes: the kernel's "Video for Linux API", chapter "Image Formats".
package enum CaptureEncoding: Sendable, CaseIterable {
    case nv12
    case i420
    case yuyv
    case uyvy
    case jpeg

    /// The codes of four letters, each as a little-endian number.
    var codes: [UInt32] {
        let names =
            switch self {
            case .nv12: ["NV12"]
            case .i420: ["YU12"]
            case .yuyv: ["YUYV"]
            case .uyvy: ["UYVY"]
            case .jpeg: ["MJPG", "JPEG"]
            }
        return names.map(Self.code)
    }

    package static func code(_ name: String) -> UInt32 {
        name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether rows are as long as the width demands, and not longer than any device needs.
    func fits(_ format: CaptureFormat) -> Bool {
        guard self != .jpeg else { return true }
        let isEven = self != .i420 || format.bytesPerRow % 2 == 0
        let needsEvenRows = self == .i420 && format.width % 2 == 1
        let least = rowLength(format.width) + (needsEvenRows ? 1 : 0)
        return isEven && (least...Self.mostBytesPerRow).contains(format.bytesPerRow)
    }

    /// The length of a row of luma, or of luma with colours, without padding.
    private func rowLength(_ width: Int) -> Int {
        switch self {
        case .nv12: (width + 1) / 2 * 2
        case .i420: width
        case .yuyv, .uyvy: (width + 1) / 2 * 4
        case .jpeg: 0
        }
    }

    /// The bytes of a whole frame: up to the last sample of the last row.
    func leastByteCount(of format: CaptureFormat) -> Int {
        let (row, height) = (format.bytesPerRow, format.height)
        return switch self {
        case .jpeg: 1
        case .yuyv, .uyvy: row * (height - 1) + rowLength(format.width)
        case .nv12: row * height + row * ((height + 1) / 2 - 1) + rowLength(format.width)
        case .i420: row * height + row / 2 * ((height + 1) / 2 * 2 - 1) + (format.width + 1) / 2
        }
    }

    /// The most bytes of a frame.
    func mostByteCount(of format: CaptureFormat) -> Int {
        // A JPEG picture takes less than four bytes for a pixel, beside its tables.
        self == .jpeg ? min(4 * format.width * format.height + 1 << 16, StreamFraming.longestPacket) : .max
    }

    /// Copies a frame, because the driver will write to its buffer again; nil if memory ran out.
    ///
    /// - Parameter bytes: the frame, of at least `leastByteCount(of:)` bytes.
    func content(_ bytes: UnsafeRawBufferPointer, _ format: CaptureFormat) -> CapturedFrame.Content? {
        if self == .jpeg { return unsafe .jpeg([UInt8](bytes)) }
        let kind: VideoPixelFormat = format.isFullRange ? .i420Full : .i420Video
        let (width, height) = (format.width, format.height)
        let memory = unsafe AnonymousMemory(byteCount: kind.byteCount(width: width, height: height)) { target in
            unsafe pack(
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress!,
                target.assumingMemoryBound(to: UInt8.self).baseAddress!, format)
            return true
        }
        guard let memory,
            let pixels = VideoPixels(packed: memory, format: kind, width: width, height: height, matrix: format.matrix)
        else { return nil }
        return .planes(pixels, memory)
    }

    private func pack(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ format: CaptureFormat) {
        let (width, height, row) = (format.width, format.height, format.bytesPerRow)
        switch self {
        case .jpeg: break
        case .yuyv, .uyvy:
            unsafe CPixelLoops_pack_pairs(source, row, width, height, self == .yuyv, target)
        case .nv12:
            let colors = unsafe source + row * height
            unsafe packPlanes(source, colors, colors + 1, row, row, 2, target, format)
        case .i420:
            let blue = unsafe source + row * height
            let red = unsafe blue + row / 2 * ((height + 1) / 2)
            unsafe packPlanes(source, blue, red, row, row / 2, 1, target, format)
        }
    }

    private func packPlanes(
        _ luma: UnsafePointer<UInt8>, _ blue: UnsafePointer<UInt8>, _ red: UnsafePointer<UInt8>, _ row: Int,
        _ colorRow: Int, _ step: Int32, _ target: UnsafeMutablePointer<UInt8>, _ format: CaptureFormat
    ) {
        var frame = unsafe CPixelLoops_SharedFrame(
            width: Int32(format.width), height: Int32(format.height), luma: luma, blue: blue, red: red,
            luma_bytes_per_row: row, color_bytes_per_row: colorRow, color_step: step, weights: CPixelLoops_Weights())
        unsafe CPixelLoops_pack_planes(&frame, target)
    }

    private static let mostBytesPerRow = 1 << 20
}
