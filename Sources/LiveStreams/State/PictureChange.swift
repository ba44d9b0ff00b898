// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The difference between a picture and the picture that was judged last.
package enum PictureChange: Sendable, Hashable, CaseIterable {
    /// The scores cannot differ.
    case none
    /// A part differs, as in ordinary motion.
    case some
    /// The picture shows something else, such as another scene.
    case much
}
