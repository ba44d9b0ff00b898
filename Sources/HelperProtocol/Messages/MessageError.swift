// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The fault of a message of the helper protocol.
package enum MessageError: Error, Sendable, Equatable {
    case tooShort
    case tooLong
    case valueOutOfRange
    case unknownKind
}
