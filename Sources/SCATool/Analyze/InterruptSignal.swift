// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Glibc

/// Calls a closure when the person presses Ctrl-C, instead of ending the program at once.
final class InterruptSignal {
    private let source: any DispatchSourceSignal

    init(_ handler: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler(handler: handler)
        source.resume()
    }

    /// Gives the signal its usual effect back.
    func stop() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
