// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension SCSensitivityAnalyzer {
    /// The format of a copy of judged media.
    public enum CopyFormat: Sendable, Hashable, CaseIterable {
        /// An image without loss, which shows exactly the judged pixels; of an animation, the first one.
        case png
        /// An image with loss, and without opacity; of an animation, the first one.
        case jpeg
        /// An image or an animation with loss.
        case webp
        /// An animation or a video with loss, as H.264, without opacity and without sound.
        case mp4
    }

    /// The look of a copy of judged media.
    public struct CopyOptions: Sendable, Hashable {
        /// The format of the copy.
        public var format: CopyFormat
        /// The quality of formats with loss, from 1 to 100.
        public var quality: Int
        /// The longest edge in pixels; nil for the full size.
        public var maximumPixelSize: Int?
        /// The levels of red, green and blue behind transparent pixels in formats without opacity.
        public var background: (red: UInt8, green: UInt8, blue: UInt8) {
            get { (channels[0], channels[1], channels[2]) }
            set { channels = [newValue.red, newValue.green, newValue.blue] }
        }
        private var channels: [UInt8]

        /// Creates options; the default is a PNG at full size.
        public init(
            format: CopyFormat = .png, quality: Int = 90, maximumPixelSize: Int? = nil,
            background: (red: UInt8, green: UInt8, blue: UInt8) = (255, 255, 255)
        ) {
            self.format = format
            self.quality = quality
            self.maximumPixelSize = maximumPixelSize
            channels = [background.red, background.green, background.blue]
        }
    }

    /// Writes a copy of an image, an animation or a video that shows exactly what was judged, without metadata.
    ///
    /// ```swift
    /// do {
    ///     let copy = fileURL.deletingPathExtension().appendingPathExtension("clean.png")
    ///     _ = try await analyzer.judgedCopy(of: fileURL, to: copy)
    ///     view.show(copy)
    /// } catch let error as SensitivityAnalysisError where error.code == .sensitiveMedia {
    ///     view.cover("This may be sensitive.")
    /// } catch {
    ///     view.cover("This could not be checked. \(error.localizedDescription)")
    /// }
    /// ```
    ///
    /// The copy is encoded in a process that never sees the original, and is judged once more before it is written. Other
    /// programs can show it: no second picture, no metadata and no data of the original is in it. It needs the product
    /// `sca-media-encoder` beside the app.
    ///
    /// Not in Apple's framework.
    ///
    /// - Parameters:
    ///   - fileURL: a local file; videos have copies as ``CopyFormat/mp4`` alone.
    ///   - targetURL: the new file, which only its owner may read; an existing file is never replaced.
    ///   - options: the format and the size.
    ///   - afterPersonsChoice: whether a person has chosen to keep sensitive media; otherwise no copy is written.
    /// - Returns: the stricter of the verdicts on the pixels and on the copy.
    /// - Throws: ``SensitivityAnalysisError`` with `sensitiveMedia`, `outputUnwritable`, or any code of an analysis; or
    ///   `CancellationError`. Nothing is left at the target then.
    nonisolated(nonsending) public func judgedCopy(
        of fileURL: URL, to targetURL: URL, options: CopyOptions = CopyOptions(), afterPersonsChoice: Bool = false
    ) async throws -> SCSensitivityAnalysis {
        try ForkCheck.pass()
        return try await backing.judgedCopy(of: fileURL, to: targetURL, options, afterPersonsChoice)
    }
}
