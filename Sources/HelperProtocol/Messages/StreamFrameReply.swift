// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The description of a frame of a live stream, whose planes are in the pixel memory without padding.
package struct StreamFrameReply: Sendable, Equatable {
    package var width: UInt32
    package var height: UInt32
    package var isFullRange: Bool
    package var matrix: VideoPixels.ColorMatrix
    /// The time stamp in microseconds; `noMoment` for a frame without one.
    package var moment: UInt64
    /// Whether parts of the stream were lost since the frame before.
    package var followsLoss: Bool
    /// The number of frames in `rateSeconds`, if the container states an exact rate; 0 without one.
    package var rateFrames: UInt32 = 0
    package var rateSeconds: UInt32 = 0

    package static let noMoment = UInt64.max

    package init(
        width: UInt32, height: UInt32, isFullRange: Bool, matrix: VideoPixels.ColorMatrix, moment: UInt64 = noMoment,
        followsLoss: Bool = false
    ) {
        self.width = width
        self.height = height
        self.isFullRange = isFullRange
        self.matrix = matrix
        self.moment = moment
        self.followsLoss = followsLoss
    }

    func write(to writer: inout ByteWriter) {
        writer.write(width)
        writer.write(height)
        writer.write(UInt8(isFullRange ? 1 : 0))
        writer.write(UInt8(matrix == .bt709 ? 1 : 0))
        writer.write(moment)
        writer.write(UInt8(followsLoss ? 1 : 0))
        writer.write(rateFrames)
        writer.write(rateSeconds)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        width = try reader.read()
        height = try reader.read()
        isFullRange = try reader.readFlag()
        matrix = try reader.readFlag() ? .bt709 : .bt601
        moment = try reader.read()
        followsLoss = try reader.readFlag()
        rateFrames = try reader.read()
        rateSeconds = try reader.read()
    }
}
