// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The terms on which a decoder opens a file with any number of pictures.
package struct MediaRequest: Sendable, Equatable {
    /// The terms for each picture, and the bounds for the whole file.
    package var picture: ImageRequest
    package var preset: SamplingPreset
    /// Whether the file is known to be a picture file with a sequence in it; otherwise only videos are opened.
    package var isImageSequence: Bool

    package init(picture: ImageRequest, preset: SamplingPreset, isImageSequence: Bool = false) {
        self.picture = picture
        self.preset = preset
        self.isImageSequence = isImageSequence
    }

    package var limits: AnalysisLimits { picture.limits }

    func write(to writer: inout ByteWriter) {
        picture.write(to: &writer)
        writer.write(preset.rawValue)
        writer.write(UInt8(isImageSequence ? 1 : 0))
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        picture = try ImageRequest(from: &reader)
        guard let preset = SamplingPreset(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.preset = preset
        isImageSequence = try reader.read(UInt8.self) == 1
    }
}
