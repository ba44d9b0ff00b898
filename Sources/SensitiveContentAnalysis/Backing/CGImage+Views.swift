// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
internal import HelperHost
internal import HelperProtocol

#if !canImport(CoreGraphics)
extension CGImage {
    /// Returns a copy of the pixels in sealed memory, for helper processes that compose and judge the opaque views.
    func sealed() throws -> SealedPicture {
        let layout = try layout()
        let memory = try unsafe SealedMemory.filled(byteCount: layout.byteCount) { target in
            unsafe pixels.withUnsafeBytes { source in
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(layout.byteCount)))
            }
        }
        return try SealedPicture(layout: layout, memory: memory)
    }

    /// Returns the picture without transparency, for a cover: one view, or views over white and black.
    package func views() throws -> [PixelImage] {
        let layout = try layout()
        return try unsafe pixels.withUnsafeBytes { unsafe BackgroundComposer.views(of: layout, in: $0) }.map { view in
            try PixelImage(
                width: width, height: height, bytesPerRow: width * PixelImage.bytesPerPixel,
                storage: ArrayPixelStorage(view))
        }
    }

    private func layout() throws -> AnalysisCore.PixelLayout {
        guard
            let layout = PixelLayout(
                width: width, height: height, bytesPerRow: bytesPerRow, format: pixelFormat.ofCore)
        else { throw AnalysisFailure(.internalFailure, "The dimensions of a picture do not fit its memory.") }
        return layout
    }
}

extension CGImage.PixelFormat {
    fileprivate var ofCore: AnalysisCore.PixelFormat {
        switch self {
        case .gray8: .gray8
        case .rgb24: .rgb24
        case .bgr24: .bgr24
        case .rgbx32: .rgbx32
        case .bgrx32: .bgrx32
        case .rgba32: .rgba32
        case .bgra32: .bgra32
        case .rgba32Premultiplied: .rgba32Premultiplied
        case .bgra32Premultiplied: .bgra32Premultiplied
        }
    }
}
#endif
