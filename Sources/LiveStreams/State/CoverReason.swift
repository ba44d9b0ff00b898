// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The reason why the gate shows a cover instead of a frame.
package enum CoverReason: Sendable, Hashable, CaseIterable {
    /// Neither this frame nor a frame that looks the same was judged in time.
    case unjudged
    /// Something sensitive was found or is suspected.
    case sensitive
    /// No policy asks for analysis, so nothing is judged.
    case disabled
}
