// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The reason for which the model's process gives no scores.
package struct ModelFailure: Error, Sendable, Equatable {
    package var reason: Reason
    /// The details of the failure for the host's message, in printable ASCII.
    package var detail: String

    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    package enum Reason: UInt8, Sendable, CaseIterable {
        /// OpenVINO or the model cannot be used.
        case unusable = 1
        /// The scores of the known drawings are not the expected scores, so no score is reliable.
        case wrongAnswer = 2
        /// Pixels of an app need more memory than the process may have.
        case tooLarge = 3
    }

    /// The largest length of `detail` in a message, in ASCII characters.
    package static let maximumDetailLength = 400

    func write(to writer: inout ByteWriter) {
        writer.write(reason.rawValue)
        writer.write(detail, atMost: Self.maximumDetailLength)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        guard let reason = Reason(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.reason = reason
        detail = try reader.readText(atMost: Self.maximumDetailLength)
    }
}
