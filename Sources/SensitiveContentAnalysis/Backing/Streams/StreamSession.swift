// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A source of frames that an analyzer owns while it analyses them: a decoding session or a capture.
protocol StreamSession: AnyObject, Sendable {
    var output: PictureOutput { get }

    /// Ends the source of the frames, and the pictures.
    func end()
}
