// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What has gone wrong with a decoder.
package enum HelperFault: Sendable, Equatable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)
    /// It has ended, and nobody knows how.
    case ended
    /// An answer that is impossible, not valid or unasked for.
    case lie
    case timedOut

    /// - Parameter error: that of a decoder that has ended, or could not be started again.
    init(endingWith error: HelperProcessError) {
        switch error {
        case .ended(.exited(let code)): self = .exited(code)
        case .ended(.signalled(let signal)): self = .signalled(signal)
        default: self = .ended
        }
    }

    package var description: String {
        switch self {
        case .exited(let code): "exit \(code)"
        case .signalled(let signal): "signal \(signal)"
        case .ended: "ended"
        case .lie: "lie"
        case .timedOut: "timed out"
        }
    }
}
