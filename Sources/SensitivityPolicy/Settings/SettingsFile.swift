// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The result of reading a settings file.
package enum SettingsFile<Value: Sendable & Hashable>: Sendable, Hashable {
    case absent
    /// The file is not obeyed; the text continues a sentence about the file with the reason and the remedy.
    case refused(String)
    case read(Value)
}
