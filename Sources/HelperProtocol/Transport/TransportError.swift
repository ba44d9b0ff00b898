// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The reason for which a message could not be sent or received.
package enum TransportError: Error, Sendable, Equatable {
    /// The other end is closed.
    case closed
    case timedOut
    /// A system call failed with this errno value.
    case systemCall(String, Int32)
}
