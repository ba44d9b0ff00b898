// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A request of the host to the process that converts Core ML models.
package enum ImporterRequest: HelperRequest {
    case hello
    /// Hands over the file of this length in bytes with the weights of the ML program that is converted next.
    case weights(byteCount: UInt64)
    /// Asks for the conversion of the Core ML file of the attached descriptor, of this length in bytes.
    case convertModel(byteCount: UInt64)
    /// Asks for the description and the converted model, which the helper writes to the attached memory in this order.
    case writeModel

    package func encoded(as serial: UInt64) -> [UInt8] {
        switch self {
        case .hello: Self.encodedHello(serial)
        case .convertModel(let byteCount): MessageHeader.message(18, serial) { $0.write(byteCount) }
        case .weights(let byteCount): MessageHeader.message(33, serial) { $0.write(byteCount) }
        case .writeModel: MessageHeader.message(19, serial)
        }
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader(from: &reader).kind {
        case 1: self = try Self.hello(from: &reader)
        case 18: self = .convertModel(byteCount: try reader.read())
        case 19: self = .writeModel
        case 33: self = .weights(byteCount: try reader.read())
        default: throw .unknownKind
        }
        try reader.finish()
    }
}
