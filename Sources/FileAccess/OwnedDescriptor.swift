// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file descriptor that is closed when its last owner is released.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    /// Takes over an open descriptor.
    package init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}
