// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A frame at the size at which the app displays it, and the time for which it is shown.
package struct WholeFrame: Sendable {
    package let picture: WholePicture
    package let start: Duration
    package let end: Duration
}
