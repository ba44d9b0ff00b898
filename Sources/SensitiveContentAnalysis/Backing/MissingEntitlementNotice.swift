// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// What a developer has to know whose app may not ask: without a word, the policy would just be disabled.
enum MissingEntitlementNotice {
    /// Says it on standard error, once in a process.
    static func show(_ reason: String) {
        guard !shown.exchange(true, ordering: .relaxed) else { return }
        let text =
            "SensitiveContentAnalysis: the analysis policy is disabled, although the person wants warnings. \(reason)\n"
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    private static let shown = Atomic(false)
}
