// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The reason why the bus, or a service on it, did not fulfil a request.
struct BusFailure: Error, Hashable {
    /// The name of the D-Bus error, or the number of the system's error.
    let name: String
    let message: String

    init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    init(_ number: Int32) {
        name = "errno \(number)"
        message = unsafe String(cString: strerror(number))
    }
}
