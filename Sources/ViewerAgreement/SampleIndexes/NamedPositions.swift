// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The positions that the index of a container names, for comparison with the units of the file.
///
/// A player that seeks continues at such a position. A wrong position may lie in a unit and hide other units there.
struct NamedPositions {
    /// The positions that the check has not reached yet, ascending, without the harmless ones behind the file.
    private var left: ArraySlice<Int>

    init(_ positions: Set<Int>, in file: InputFile) {
        left = positions.filter { $0 < file.byteCount }.sorted()[...]
    }

    var isEmpty: Bool { left.isEmpty }

    /// Notes that a unit begins at a position.
    ///
    /// - Returns: whether the index names the position; nil if it names a position inside the unit before.
    mutating func reach(_ position: Int) -> Bool? {
        guard let next = left.first, next <= position else { return false }
        if next < position { return nil }
        left.removeFirst()
        return true
    }
}
