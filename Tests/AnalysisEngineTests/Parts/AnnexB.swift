// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// H.264 units behind start codes.
enum AnnexB {
    /// Divides a stream into its units, each with its start code.
    static func units(_ data: Data) -> [Data] {
        let bytes = [UInt8](data)
        var starts = bytes.indices.dropLast(3).filter { bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1 }
        starts = starts.map { $0 > 0 && bytes[$0 - 1] == 0 ? $0 - 1 : $0 }
        return zip(starts, starts.dropFirst() + [bytes.count]).map { Data(bytes[$0..<$1]) }
    }

    /// Returns the type of a unit.
    static func type(_ unit: Data) -> UInt8 {
        let header = [UInt8](unit.prefix(5))
        return header[header[2] == 1 ? 3 : 4] & 31
    }
}
