// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// A whole frame of a live stream, in memory of the host.
package struct LiveStreamFrame: Sendable {
    /// Luma and two planes of colours without padding, one after the other.
    package let pixels: VideoPixels
    package let memory: AnonymousMemory
    /// The time stamp by the stream; nil for a frame without one.
    package let moment: Duration?
    /// Whether parts of the stream were lost since the frame before.
    package let followsLoss: Bool
    /// The number of frames in some seconds, if the container states an exact rate.
    package let rate: FrameRate?

    package init(
        _ pixels: VideoPixels, _ memory: AnonymousMemory, at moment: Duration?, followsLoss: Bool = false,
        rate: FrameRate? = nil
    ) {
        self.rate = rate
        self.pixels = pixels
        self.memory = memory
        self.moment = moment
        self.followsLoss = followsLoss
    }

    /// Checks a reply, and copies its planes, because the helper can still change the shared memory afterwards.
    ///
    /// - Throws: `HelperLie` if the reply is impossible, or the planes could not be copied.
    init(
        _ reply: StreamFrameReply, _ memory: PixelMemory, _ limits: AnalysisLimits, _ pool: AnonymousMemoryPool
    ) throws(HelperLie) {
        let most = UInt32(clamping: min(VideoPixels.maximumEdge, limits.maximumEdge))
        guard (1...most).contains(reply.width), (1...most).contains(reply.height),
            UInt64(reply.width) * UInt64(reply.height) <= UInt64(clamping: limits.maximumPixelCount),
            reply.moment == StreamFrameReply.noMoment || reply.moment <= 1 << 52
        else { throw HelperLie() }
        let format: VideoPixelFormat = reply.isFullRange ? .i420Full : .i420Video
        let (width, height) = (Int(reply.width), Int(reply.height))
        guard let copy = memory.copy(byteCount: format.byteCount(width: width, height: height), from: pool),
            let pixels = VideoPixels(packed: copy, format: format, width: width, height: height, matrix: reply.matrix)
        else { throw HelperLie() }
        self.pixels = pixels
        self.memory = copy
        moment = reply.moment == StreamFrameReply.noMoment ? nil : .microseconds(Int64(reply.moment))
        followsLoss = reply.followsLoss
        rate = FrameRate(frames: Int(reply.rateFrames), seconds: Int(reply.rateSeconds))
    }
}
