// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import InterventionKit
internal import SensitiveContentAnalysis

/// Writes a cover as a PNG file.
enum CoverFile {
    /// The longer edge of the PNG file in pixels, a multiple of the 9 samples along the longer edge of a full cover.
    private static let edge = 540

    /// - Throws: `CommandFailure` if `samples` is nil, because no picture could be decoded.
    static func write(_ samples: CoverSamples?, to file: OutputFile) throws {
        guard let samples else {
            throw CommandFailure("There is no cover to write, since no picture could be decoded. Name a picture.")
        }
        let longest = max(samples.width, samples.height)
        let (width, height) = (samples.width * edge / longest, samples.height * edge / longest)
        let cover = try samples.picture(width: width, height: height)
        guard let view = try cover.views().first else {
            throw CommandFailure("The cover has no pixels; please report it.")
        }
        let pixels = unsafe view.storage.withBytes { bytes in unsafe [UInt8](bytes) }
        let picture = PNGPicture(width: width, height: height, pixels: pixels)
        file.write(picture.encoded())
        file.finish()
    }
}
