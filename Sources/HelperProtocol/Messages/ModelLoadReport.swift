// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The report on a model that was loaded.
package struct ModelLoadReport: Sendable, Equatable {
    /// Whether the model was compiled at this start; otherwise it was loaded from a compiled copy.
    package var wasCompiled: Bool
    /// The length of the compiled form that was written for the host, in bytes; 0 if there is none.
    package var compiledByteCount: UInt64
    /// For each known drawing, the score of each output.
    package var drawings: [[Float]]

    package init(wasCompiled: Bool, compiledByteCount: UInt64, drawings: [[Float]]) {
        self.wasCompiled = wasCompiled
        self.compiledByteCount = compiledByteCount
        self.drawings = drawings
    }

    func write(to writer: inout ByteWriter) {
        writer.write(UInt8(wasCompiled ? 1 : 0))
        writer.write(compiledByteCount)
        writer.write(scores: drawings)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        wasCompiled = try reader.read(UInt8.self) == 1
        compiledByteCount = try reader.read()
        drawings = try reader.readScores()
    }
}
