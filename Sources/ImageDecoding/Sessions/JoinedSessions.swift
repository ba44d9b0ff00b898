// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// Two sessions of one file, whose tracks follow each other.
final class JoinedSessions: MediaSession {
    let media: MediaReply
    private let first: any MediaSession
    private let second: any MediaSession
    private var current: any MediaSession

    /// - Parameter first: the session that also knows of a sequence in the file.
    init(_ first: any MediaSession, _ second: any MediaSession) {
        (self.first, self.second, current) = (first, second, first)
        media = MediaReply(
            format: first.media.format, trackCount: first.media.trackCount + second.media.trackCount,
            sequence: first.media.sequence)
    }

    func openTrack(_ index: Int) throws(DecodingFailure) -> TrackReply {
        let count = Int(first.media.trackCount)
        current = index < count ? first : second
        return try current.openTrack(index < count ? index : index - count)
    }

    func nextFrame() throws(DecodingFailure) -> TrackAnswer { try current.nextFrame() }

    func frame(shownAt moment: UInt64) throws(DecodingFailure) -> TrackAnswer { try current.frame(shownAt: moment) }
}
