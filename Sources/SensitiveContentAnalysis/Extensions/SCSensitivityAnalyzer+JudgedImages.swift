// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if !canImport(CoreGraphics)
extension SCSensitivityAnalyzer {
    /// An image whose pixels were judged, for display by the app.
    public struct JudgedImage: Sendable {
        /// The verdict on exactly these pixels.
        public let analysis: SCSensitivityAnalysis
        /// The upright image in sRGB, as ``CGImage/PixelFormat/rgb24``, or as ``CGImage/PixelFormat/rgba32`` with opacity.
        public let image: CGImage
        /// The size of the upright image in the file, in pixels.
        public let originalSize: (width: Int, height: Int)
        /// Whether parts of the image are missing, because the file is damaged or incomplete.
        public let isDamaged: Bool
    }

    /// Decodes an image file in the sandbox, and judges exactly the pixels that it returns.
    ///
    /// ```swift
    /// do {
    ///     let judged = try await analyzer.judgedImage(at: fileURL)
    ///     if judged.analysis.isSensitive { view.cover("This may be sensitive.") } else { view.show(judged.image) }
    /// } catch {
    ///     view.cover("This could not be checked. \(error.localizedDescription)")
    /// }
    /// ```
    ///
    /// Show this image, and not the file: another program may find a different picture in the file, and its metadata,
    /// thumbnails and other content do not come along. Of an animation, or of a file with several images, it is the
    /// first or the primary one. A sensitive image is returned too, for a person who chooses to see it.
    ///
    /// Not in Apple's framework.
    ///
    /// - Parameters:
    ///   - fileURL: a local file. A remote URL throws `invalidArgument`: download it first.
    ///   - maximumPixelSize: the longest edge in pixels, for lists and previews; nil for the full size.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be analysed, or `CancellationError`. Under the policy
    ///   ``SCSensitivityAnalysisPolicy/disabled``, the code is `analysisDisabled`.
    nonisolated(nonsending) public func judgedImage(
        at fileURL: URL, maximumPixelSize: Int? = nil
    ) async throws -> JudgedImage {
        try ForkCheck.pass()
        return try await backing.judgedImage(maximumPixelSize) { _ in try AnalyzerBacking.input(fileURL) }
    }

    /// Decodes an encoded image in memory, and judges exactly the pixels that it returns.
    ///
    /// ```swift
    /// view.cover("Checking …")
    /// do {
    ///     let preview = try await analyzer.judgedImage(data: data, maximumPixelSize: 320)
    ///     if !preview.analysis.isSensitive { view.show(preview.image) }
    /// } catch {
    ///     view.cover("This could not be checked. \(error.localizedDescription)")
    /// }
    /// ```
    ///
    /// Not in Apple's framework.
    ///
    /// - Parameters:
    ///   - data: the content of an image file.
    ///   - maximumPixelSize: the longest edge in pixels, for lists and previews; nil for the full size.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be analysed, or `CancellationError`. Under the policy
    ///   ``SCSensitivityAnalysisPolicy/disabled``, the code is `analysisDisabled`.
    nonisolated(nonsending) public func judgedImage(
        data: Data, maximumPixelSize: Int? = nil
    ) async throws -> JudgedImage {
        try ForkCheck.pass()
        return try await backing.judgedImage(maximumPixelSize) { limits in try AnalyzerBacking.input(data, limits) }
    }
}
#endif
