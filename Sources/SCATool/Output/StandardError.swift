// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Standard error, for messages to the person; a failed write is ignored, because no program relies on messages.
enum StandardError {
    static func write(_ text: String) {
        // `FileHandle.write(_:)` would end the program after a failure.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
