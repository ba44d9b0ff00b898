// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The packets of a track of opacity, in step with the packets of the track of colours.
///
/// Browsers join the frames of both tracks by their place, and other programs by their time. Both are the same here.
final class OpacityPackets {
    private let container: MediaContainer
    let stream: VideoStream

    init(_ container: MediaContainer, _ stream: VideoStream) { (self.container, self.stream) = (container, stream) }

    /// Gives a packet of colours the next packet of opacity.
    ///
    /// - Returns: whether there is one, for the same moment.
    func attach(to packet: EncodedPacket, of colours: VideoStream) throws(DecodingFailure) -> Bool {
        packet.opacity = try container.nextPacket(of: stream)
        guard let opacity = packet.opacity else { return false }
        return opacity.timestamp.map(stream.microseconds) == packet.timestamp.map(colours.microseconds)
    }
}
