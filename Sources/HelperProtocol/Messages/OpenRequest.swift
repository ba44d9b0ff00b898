// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The parameters of a request to open a file that another program may display.
package struct OpenRequest: Sendable, Equatable {
    /// The parameters for each picture, and the limits of the whole file.
    package var picture: ImageRequest
    package var preset: SamplingPreset
    /// The place of the sequence in a picture file; nil to open the file by its content.
    package var sequence: SequencePlace?

    package init(
        picture: ImageRequest, preset: SamplingPreset, sequence: SequencePlace? = nil
    ) {
        self.picture = picture
        self.preset = preset
        self.sequence = sequence
    }

    package var limits: AnalysisLimits { picture.limits }

    func write(to writer: inout ByteWriter) {
        picture.write(to: &writer)
        writer.write(preset.rawValue)
        SequencePlace.write(sequence, to: &writer)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        picture = try ImageRequest(from: &reader)
        guard let preset = SamplingPreset(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.preset = preset
        sequence = try SequencePlace.read(from: &reader)
    }
}
