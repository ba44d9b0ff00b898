// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The reason why settings could not be changed, in words for the person who wanted the change.
package struct SettingsWriteFailure: Error, CustomStringConvertible {
    package let description: String
    /// Whether another account may be permitted to make the change.
    package var isForbidden = false
}
