// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A request to the app, made by a choice of the person.
public enum InterventionRequest: Sendable, Hashable, CaseIterable {
    /// Send the media: the person has chosen it on the second pane.
    ///
    /// The request is made only after a decision. ``InterventionPresentation/maySend`` permits sending in every case.
    /// An app that sends when `maySend` becomes true must ignore this request, or it sends the media twice.
    case send
    /// Open a message to the trusted grown-up, without the media.
    case contactGrownUp
    /// Block the sender of the media.
    case blockContact
    /// Leave the stream.
    case leaveStream
}
