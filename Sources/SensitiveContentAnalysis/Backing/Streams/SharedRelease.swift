// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Glibc

/// Calls a closure soon after the last frame over some memory is released.
///
/// The last reference may end wherever a frame is replaced, also under a lock. The closure belongs to the app, and may
/// use the analyzer or locks of its own, so it is called on a queue.
final class SharedRelease: Sendable {
    private let release: @Sendable () -> Void

    init(_ release: @escaping @Sendable () -> Void) {
        self.release = release
    }

    deinit { Self.queue.async(execute: release) }

    private static let queue = DispatchQueue(label: "SensitiveContentAnalysis.frames")
}
