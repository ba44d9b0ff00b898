// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Checks whether the tables of a colour profile are even enough for LittleCMS to apply them as browsers do.
///
/// LittleCMS joins all steps of a table into a grid of 33 points for each colour, or 17 for each ink. For samples of 16
/// bits, it does so with every profile. Details between two points are lost, but browsers show them. Source:
/// ICC.1:2022, sections 10.6, 10.10 to 10.12 and 10.18.
package struct ProfileTables {
    let bytes: [UInt8]
    /// The number of grid points of LittleCMS for each channel.
    let pointCount: Int
    /// The largest number of points of a table; above `pointCount`, details are weakened but not lost.
    let mostPoints: Int

    init(_ bytes: [UInt8], channelCount: Int) {
        self.bytes = bytes
        pointCount = channelCount == 4 ? 17 : 33
        mostPoints = channelCount == 4 ? 23 : 33
    }

    /// Returns whether the curve at a position is even; false if the tag is not a curve.
    func isEvenCurve(at start: Int) -> Bool { curve(at: start)?.isEven ?? false }

    /// Returns whether the table at a position is even; false if the tag is not a table.
    func isEvenTable(at start: Int) -> Bool {
        if bytes.hasText("mft1", at: start) || bytes.hasText("mft2", at: start) { return isEvenOldTable(at: start) }
        guard bytes.hasText("mAB ", at: start), start + 32 <= bytes.count else { return false }
        let (inputs, outputs) = (Int(bytes[start + 8]), Int(bytes[start + 9]))
        func place(_ offset: Int) -> Int { Int(bytes.bigEndian(at: start + offset, as: UInt32.self) ?? 0) }
        for (offset, count) in [(12, outputs), (20, outputs), (28, inputs)] where place(offset) > 0 {
            guard areEvenCurves(from: start + place(offset), count: count) else { return false }
        }
        guard place(24) > 0 else { return true }
        let grid = start + place(24)
        guard grid + inputs <= bytes.count else { return false }
        return bytes[grid..<(grid + inputs)].allSatisfy { $0 <= mostPoints }
    }

    /// Returns whether a table of the first or second kind is even: input curves of one length, a grid, and output
    /// curves of one length.
    private func isEvenOldTable(at start: Int) -> Bool {
        let isWide = bytes.hasText("mft2", at: start)
        let size = isWide ? 2 : 1
        guard start + 52 <= bytes.count else { return false }
        let (inputs, outputs, grid) = (Int(bytes[start + 8]), Int(bytes[start + 9]), Int(bytes[start + 10]))
        func length(_ offset: Int) -> Int {
            isWide ? Int(bytes.bigEndian(at: start + offset, as: UInt16.self) ?? 0) : 256
        }
        guard grid <= mostPoints, inputs <= 4, outputs == 3 else { return false }
        let first = start + (isWide ? 52 : 48)
        let points = (0..<inputs).reduce(outputs) { count, _ in count * grid }
        let last = first + (inputs * length(48) + points) * size
        let places =
            (0..<inputs).map { (first + $0 * length(48) * size, length(48)) }
            + (0..<outputs).map { (last + $0 * length(50) * size, length(50)) }
        return places.allSatisfy { place, count in
            values(at: place, count: count, size: size).map(isEven) ?? false
        }
    }

    private func areEvenCurves(from start: Int, count: Int) -> Bool {
        var position = start
        for _ in 0..<count {
            guard let curve = curve(at: position), curve.isEven else { return false }
            position += (curve.byteCount + 3) / 4 * 4
        }
        return true
    }

    /// Returns whether a curve of numbers or of a formula is even, and its number of bytes; formulas are even.
    private func curve(at start: Int) -> (isEven: Bool, byteCount: Int)? {
        if bytes.hasText("para", at: start), let kind: UInt16 = bytes.bigEndian(at: start + 8), kind < 5 {
            return (true, 12 + 4 * [1, 3, 4, 5, 7][Int(kind)])
        }
        guard bytes.hasText("curv", at: start), let count: UInt32 = bytes.bigEndian(at: start + 8) else { return nil }
        // No number means a straight line, and one number means a gamma.
        guard count > 1 else { return (true, 12 + 2 * Int(count)) }
        return values(at: start + 12, count: Int(count), size: 2).map { (isEven($0), 12 + 2 * Int(count)) }
    }

    /// Returns the numbers of a table, from 0 to 1; nil if the bytes end before them.
    private func values(at start: Int, count: Int, size: Int) -> [Double]? {
        guard count >= 2, start >= 0, start + count * size <= bytes.count else { return nil }
        return (0..<count).map { index in
            size == 1
                ? Double(bytes[start + index]) / 255
                : Double(bytes.bigEndian(at: start + 2 * index, as: UInt16.self) ?? 0) / 65_535
        }
    }

    /// Returns whether straight lines between the points of the grid are close to all numbers.
    ///
    /// A gamma is steep at its start. There the distance may be larger if the curve bends in one direction.
    private func isEven(_ values: [Double]) -> Bool {
        let cells = pointCount - 1
        func value(at place: Double) -> Double {
            let index = min(values.count - 2, Int(place))
            return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
        }
        let length = Double(values.count - 1) / Double(cells)
        for (index, actual) in values.enumerated() {
            let cell = min(cells - 1, Int(Double(index) / length))
            let (low, high) = (value(at: Double(cell) * length), value(at: Double(cell + 1) * length))
            let line = low + (high - low) * (Double(index) / length - Double(cell))
            let most = cell == 0 || index == 1 ? Self.mostAtStart : Self.mostBetween
            guard abs(actual - line) <= most else { return false }
        }
        let start = Array(values.prefix(Int(length) + 2))
        let steps = zip(start, start.dropFirst()).map { $1 - $0 }
        let bends = zip(steps, steps.dropFirst()).map { $1 - $0 }
        return bends.allSatisfy { $0 >= -Self.rounding } || bends.allSatisfy { $0 <= Self.rounding }
    }

    private static let mostBetween = 0.02
    /// The largest allowed distance at the start of a curve: that of a gamma of 1/2.6 from a straight line.
    private static let mostAtStart = 0.13
    /// The allowed error by rounding: two steps of a table of bytes.
    private static let rounding = 2.0 / 255 + 1e-9
}
