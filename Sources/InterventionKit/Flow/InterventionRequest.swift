// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Something that the app is to do now, because the person has chosen it.
public enum InterventionRequest: Sendable, Hashable, CaseIterable {
    /// Send the media: the person has chosen it on the second pane.
    ///
    /// It comes only where there was something to decide. Whether media may be sent is said by
    /// ``InterventionPresentation/maySend`` in every case; who sends when that becomes true leaves this aside, so that
    /// nothing is sent twice.
    case send
    /// Open a message to the trusted grown-up, without the media.
    case contactGrownUp
    /// Block whoever the media came from.
    case blockContact
    /// Leave the stream.
    case leaveStream
}
