// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The parameters of a request for a copy of a film without encoding.
package struct RemuxRequest: Sendable, Equatable {
    package var limits: AnalysisLimits
    package var container: FilmContainer
    /// Whether the first sound track is copied as well.
    package var keepsSound: Bool

    package init(limits: AnalysisLimits, container: FilmContainer, keepsSound: Bool) {
        (self.limits, self.container, self.keepsSound) = (limits, container, keepsSound)
    }

    /// The time limit of a copy, in those of the decoding of a picture: all packets are read several times.
    package static let decodingTimes = 4

    func write(to writer: inout ByteWriter) {
        limits.write(to: &writer)
        writer.write(container.rawValue)
        writer.write(UInt8(keepsSound ? 1 : 0))
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        limits = try AnalysisLimits(from: &reader)
        guard let container = FilmContainer(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.container = container
        keepsSound = try reader.readFlag()
    }
}
