// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// A notice for the developer of an app that lacks the entitlement; the policy alone only shows `disabled`.
enum MissingEntitlementNotice {
    /// Writes the notice to standard error, once in a process.
    static func show(_ reason: String) {
        guard !shown.exchange(true, ordering: .relaxed) else { return }
        let text =
            "SensitiveContentAnalysis: the analysis policy is disabled, although the person wants warnings. \(reason)\n"
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    private static let shown = Atomic(false)
}
