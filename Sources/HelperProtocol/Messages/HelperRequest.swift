// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A request of the host to a helper process.
///
/// Each kind of helper has its own requests. The numbers of all requests differ, so no helper understands a request for
/// another.
package protocol HelperRequest: Sendable, Equatable {
    /// Greets the helper; the attached descriptor is the pixel memory, for decoded pictures or for views to score.
    static var hello: Self { get }

    /// - Parameter serial: the number that the reply must repeat; 0 before the model is loaded and in greetings.
    func encoded(as serial: UInt64) -> [UInt8]

    init(decoding bytes: [UInt8]) throws(MessageError)
}

extension HelperRequest {
    static func encodedHello(_ serial: UInt64) -> [UInt8] {
        MessageHeader.message(1, serial) { $0.write(PackageVersion.current) }
    }

    /// Reads the members of a greeting.
    static func hello(from reader: inout ByteReader) throws(MessageError) -> Self {
        _ = try reader.readText(atMost: 64)
        return .hello
    }
}
