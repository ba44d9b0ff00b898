// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// The moment by which a helper process must reply.
struct HelperDeadline: Sendable {
    private let time: DispatchTime

    init(after duration: Duration) {
        time = .now() + .nanoseconds(Int(clamping: Int128(duration / .nanoseconds(1))))
    }

    var remainingMilliseconds: Int32 {
        let now = DispatchTime.now().uptimeNanoseconds
        guard time.uptimeNanoseconds > now else { return 0 }
        return Int32(clamping: (time.uptimeNanoseconds - now + 999_999) / 1_000_000)
    }
}
