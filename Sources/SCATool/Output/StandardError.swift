// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Standard error, for words to the person; where it takes none, nothing is lost that a program relies on.
enum StandardError {
    static func write(_ text: String) {
        // Not write(_:), which ends the program where it fails.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
