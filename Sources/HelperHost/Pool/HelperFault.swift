// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A fault of a helper.
package enum HelperFault: Sendable, Equatable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)
    /// The helper has ended in an unknown way.
    case ended
    /// The helper sent a reply that is impossible, invalid or without a request.
    case lie
    case timedOut

    /// - Parameter error: the error of a helper that has ended, or could not be started again.
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
