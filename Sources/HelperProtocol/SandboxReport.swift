// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The sandbox of a helper process, as the process reports it before it reads any media.
package struct SandboxReport: Sendable, Hashable {
    /// The layers of the sandbox that the kernel enforces for the process.
    package var layers: Set<SandboxLayer>
    /// The version of Landlock in force, or 0 without Landlock.
    package var landlockVersion: UInt8

    package init(layers: Set<SandboxLayer>, landlockVersion: UInt8 = 0) {
        self.layers = layers
        self.landlockVersion = landlockVersion
    }

    package var missingLayers: [SandboxLayer] { SandboxLayer.allCases.filter { !layers.contains($0) } }

    func write(to writer: inout ByteWriter) {
        writer.write(layers.reduce(UInt16(0)) { $0 | 1 << UInt16($1.rawValue) })
        writer.write(landlockVersion)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        let bits = try reader.read(UInt16.self)
        layers = Set(SandboxLayer.allCases.filter { bits >> UInt16($0.rawValue) & 1 == 1 })
        guard bits >> UInt16(SandboxLayer.allCases.count) == 0 else { throw .valueOutOfRange }
        landlockVersion = try reader.read()
    }
}
