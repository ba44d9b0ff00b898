// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The description of a file whose frames the app displays.
package struct WholeFramesReply: Sendable, Equatable {
    package var format: MediaFormat
    /// Whether the frames follow each other in time; otherwise there is one picture.
    package var isTimed: Bool
    /// The length of all frames in microseconds; 0 if it is unknown.
    package var duration: UInt64
    /// How often an animation is shown; 0 means without end.
    package var loopCount: UInt32

    package init(format: MediaFormat, isTimed: Bool, duration: UInt64, loopCount: Int = 1) {
        self.format = format
        self.isTimed = isTimed
        self.duration = duration
        self.loopCount = UInt32(clamping: loopCount)
    }

    func write(to writer: inout ByteWriter) {
        writer.write(format.rawValue)
        writer.write(UInt8(isTimed ? 1 : 0))
        writer.write(duration)
        writer.write(loopCount)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        guard let format = MediaFormat(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.format = format
        isTimed = try reader.readFlag()
        duration = try reader.read()
        loopCount = try reader.read()
    }
}
