// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ViewerAgreement

/// An ICC profile of primaries and a curve, with which libvips can convert colours that a file names without a profile.
///
/// Source: ICC.1:2022, sections 7, 8.3, 10.6, 10.18 and 10.31, and annex E for the adaptation by Bradford.
struct RGBProfile {
    let bytes: [UInt8]

    /// x and y of the white, red, green and blue of sRGB, in this order.
    static let sRGBPrimaries = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

    /// The profile with which to convert named colours; nil for sRGB, which needs no conversion.
    struct Conversion {
        let profile: RGBProfile?
    }

    /// Returns the conversion for the code points; it has no profile if they mean sRGB or are unspecified.
    ///
    /// Source: Rec. ITU-T H.273, tables 2 and 3.
    ///
    /// - Returns: nil for colours that cannot be converted here, such as those of a high dynamic range.
    static func conversion(from points: CodePoints) -> Conversion? {
        let white = [0.3127, 0.3290]
        let primaries: [Double]
        switch points.primaries {
        case 1, 2: primaries = sRGBPrimaries
        case 5: primaries = white + [0.64, 0.33, 0.29, 0.60, 0.15, 0.06]
        case 6, 7: primaries = white + [0.630, 0.340, 0.310, 0.595, 0.155, 0.070]
        case 9: primaries = white + [0.708, 0.292, 0.170, 0.797, 0.131, 0.046]
        case 12: primaries = white + [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
        default: return nil
        }
        let gamma: Double?
        switch points.transfer {
        case _ where points.hasCurveOfSRGB: gamma = nil
        case 4: gamma = 2.2
        case 5: gamma = 2.8
        default: return nil
        }
        if primaries == sRGBPrimaries, gamma == nil { return Conversion(profile: nil) }
        return RGBProfile(primaries: primaries, gamma: gamma).map { Conversion(profile: $0) }
    }

    /// - Parameters:
    ///   - primaries: x and y of white, red, green and blue.
    ///   - gamma: the exponent from level to light; nil for the curve of sRGB.
    /// - Returns: nil if the numbers are not colours, or the exponent does not fit into a profile.
    init?(primaries: [Double], gamma: Double?) {
        guard let columns = Self.adaptedColumns(primaries) else { return nil }
        let curve: [UInt8]
        if let gamma {
            guard gamma >= 1.0 / 16, gamma < 255.9 else { return nil }
            // A curve of one number is a gamma, in units of 1/256.
            let number = UInt16((gamma * 256).rounded())
            curve =
                Self.text("curv") + Self.number(0) + Self.number(1) + [UInt8(number >> 8), UInt8(number & 255), 0, 0]
        } else {
            curve =
                Self.text("para") + Self.number(0) + [0, 3, 0, 0]
                + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(Self.fixed)
        }
        let tags: [(String, [UInt8])] = [
            ("desc", Self.text("mluc") + Self.number(0) + Self.number(0) + Self.number(12)),
            ("wtpt", Self.color(Self.profileWhite)), ("rXYZ", Self.color(columns[0])),
            ("gXYZ", Self.color(columns[1])), ("bXYZ", Self.color(columns[2])), ("rTRC", curve), ("gTRC", curve),
            ("bTRC", curve),
        ]
        var table = Self.number(UInt32(tags.count))
        var contents: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        for (name, content) in tags {
            table += Self.text(name) + Self.number(UInt32(start + contents.count)) + Self.number(UInt32(content.count))
            contents += content
        }
        var header = Self.number(UInt32(start + contents.count)) + Self.number(0) + Self.number(0x0420_0000)
        header += Self.text("mntrRGB XYZ ") + [UInt8](repeating: 0, count: 12) + Self.text("acsp")
        header += [UInt8](repeating: 0, count: 28) + Self.profileWhite.flatMap(Self.fixed)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        bytes = header + table + contents
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func number(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func fixed(_ value: Double) -> [UInt8] {
        number(UInt32(bitPattern: Int32((value * 65_536).rounded())))
    }

    private static func color(_ values: [Double]) -> [UInt8] { text("XYZ ") + number(0) + values.flatMap(fixed) }

    // MARK: Colours

    /// The white point of ICC profiles, D50, in XYZ.
    private static let profileWhite = [0.9642, 1, 0.8249]
    private static let bradford = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]

    /// Returns red, green and blue in XYZ, adapted to the white of profiles.
    private static func adaptedColumns(_ numbers: [Double]) -> [[Double]]? {
        guard numbers.count == 8 else { return nil }
        let colors = stride(from: 0, to: 8, by: 2).map { index -> [Double] in
            let (x, y) = (numbers[index], numbers[index + 1])
            return [x / y, 1, (1 - x - y) / y]
        }
        let rows = (0..<3).map { row in (1...3).map { colors[$0][row] } }
        guard let inverse = inverted(rows), let back = inverted(bradford) else { return nil }
        let strengths = product(inverse, colors[0])
        let (from, to) = (product(bradford, colors[0]), product(bradford, profileWhite))
        let columns = (0..<3).map { index -> [Double] in
            let cone = product(bradford, colors[index + 1].map { $0 * strengths[index] })
            return product(back, (0..<3).map { cone[$0] * to[$0] / from[$0] })
        }
        return columns.joined().allSatisfy { $0.isFinite && abs($0) < 16 } ? columns : nil
    }

    private static func product(_ rows: [[Double]], _ vector: [Double]) -> [Double] {
        rows.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    private static func inverted(_ m: [[Double]]) -> [[Double]]? {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, s, c, d) = ((row + 1) % 3, (row + 2) % 3, (column + 1) % 3, (column + 2) % 3)
            return m[r][c] * m[s][d] - m[r][d] * m[s][c]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
        guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
        return (0..<3).map { row in (0..<3).map { column in minor(column, row) / determinant } }
    }
}
