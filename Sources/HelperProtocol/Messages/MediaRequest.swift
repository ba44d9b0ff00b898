// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The bounds and the wishes for a file with any number of pictures.
package struct MediaRequest: Sendable, Equatable {
    /// What holds for each picture; the byte count is that of the whole file.
    package var picture: ImageRequest
    package var preset: SamplingPreset
    /// Whether the file is known to be a picture file with a sequence in it; otherwise only videos are opened.
    package var isImageSequence: Bool
    /// In microseconds.
    package var maximumDuration: UInt64
    /// How many frames may be decoded, in all tracks together.
    package var maximumFrameCount: UInt64

    package init(
        picture: ImageRequest, preset: SamplingPreset, isImageSequence: Bool, maximumDuration: UInt64,
        maximumFrameCount: UInt64
    ) {
        self.picture = picture
        self.preset = preset
        self.isImageSequence = isImageSequence
        self.maximumDuration = maximumDuration
        self.maximumFrameCount = maximumFrameCount
    }

    func write(to writer: inout ByteWriter) {
        picture.write(to: &writer)
        writer.write(preset.rawValue)
        writer.write(UInt8(isImageSequence ? 1 : 0))
        writer.write(maximumDuration)
        writer.write(maximumFrameCount)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        picture = try ImageRequest(from: &reader)
        guard let preset = SamplingPreset(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.preset = preset
        isImageSequence = try reader.read(UInt8.self) == 1
        maximumDuration = try reader.read()
        maximumFrameCount = try reader.read()
    }
}
