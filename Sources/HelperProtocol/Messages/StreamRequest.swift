// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The parameters of a request to decode a live stream from a pipe.
package struct StreamRequest: Sendable, Equatable {
    package var format: StreamFormat
    package var limits: AnalysisLimits
    package var display: Display
    /// Whether all frames have the size and the colours of the first one, for readers of frames without headers.
    package var keepsFirstLook: Bool

    package init(
        format: StreamFormat = .automatic, limits: AnalysisLimits = AnalysisLimits(), display: Display = .ours,
        keepsFirstLook: Bool = false
    ) {
        self.format = format
        self.limits = limits
        self.display = display
        self.keepsFirstLook = keepsFirstLook
    }

    func write(to writer: inout ByteWriter) {
        writer.write(format.rawValue)
        limits.write(to: &writer)
        writer.write(display.rawValue)
        writer.write(UInt8(keepsFirstLook ? 1 : 0))
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        guard let format = StreamFormat(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.format = format
        limits = try AnalysisLimits(from: &reader)
        guard let display = Display(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.display = display
        keepsFirstLook = try reader.readFlag()
    }
}
