// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The parameters of a request for a picture.
package struct ImageRequest: Sendable, Equatable {
    /// The width in pixels below which the decoder must not reduce the upright picture.
    package var minimumWidth: UInt32
    /// The height in pixels below which the decoder must not reduce the upright picture.
    package var minimumHeight: UInt32
    package var limits: AnalysisLimits
    /// Whether the decoder searches for test patterns as well.
    package var findsTestPatterns: Bool

    /// - Parameters:
    ///   - minimumWidth: the width in pixels below which the upright picture must not be reduced.
    ///   - minimumHeight: the height in pixels below which the upright picture must not be reduced.
    package init(minimumWidth: Int, minimumHeight: Int, limits: AnalysisLimits, findsTestPatterns: Bool = false) {
        self.minimumWidth = UInt32(clamping: minimumWidth)
        self.minimumHeight = UInt32(clamping: minimumHeight)
        self.limits = limits
        self.findsTestPatterns = findsTestPatterns
    }
}

extension ImageRequest {
    func write(to writer: inout ByteWriter) {
        writer.write(minimumWidth)
        writer.write(minimumHeight)
        limits.write(to: &writer)
        writer.write(UInt8(findsTestPatterns ? 1 : 0))
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        minimumWidth = try reader.read()
        minimumHeight = try reader.read()
        limits = try AnalysisLimits(from: &reader)
        findsTestPatterns = try reader.read(UInt8.self) == 1
    }
}

extension AnalysisLimits {
    func write(to writer: inout ByteWriter) {
        for bound in Self.counts { writer.write(UInt64(clamping: self[keyPath: bound.value])) }
        for bound in Self.times { writer.write(self[keyPath: bound.value].microseconds) }
    }

    /// Reads the limits, and throws `valueOutOfRange` for a value that `AnalysisLimits` does not allow.
    init(from reader: inout ByteReader) throws(MessageError) {
        self.init()
        for bound in Self.counts { self[keyPath: bound.value] = Int(clamping: try reader.read(UInt64.self)) }
        for bound in Self.times {
            self[keyPath: bound.value] = .microseconds(Int64(clamping: try reader.read(UInt64.self)))
        }
        do { try validate() } catch { throw .valueOutOfRange }
    }
}
