// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The parameters of a request for the picture that the app itself displays, at its full size.
package struct WholePictureRequest: Sendable, Equatable {
    package var limits: AnalysisLimits
    /// The longest edge in pixels that the app wants; a larger picture is reduced to it.
    package var maximumEdge: UInt32
    /// The place of the picture in a picture file; nil to open the file by its content.
    package var sequence: SequencePlace?

    /// - Parameter maximumEdge: the longest edge in pixels; nil for the full size.
    package init(limits: AnalysisLimits, maximumEdge: Int? = nil, sequence: SequencePlace? = nil) {
        self.limits = limits
        self.maximumEdge = maximumEdge.map { UInt32(clamping: $0) } ?? .max
        self.sequence = sequence
    }

    func write(to writer: inout ByteWriter) {
        limits.write(to: &writer)
        writer.write(maximumEdge)
        SequencePlace.write(sequence, to: &writer)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        limits = try AnalysisLimits(from: &reader)
        maximumEdge = try reader.read()
        guard maximumEdge > 0 else { throw .valueOutOfRange }
        sequence = try SequencePlace.read(from: &reader)
    }
}
