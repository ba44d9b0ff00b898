// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// A number of bytes as a person writes it: 268435456, 256M, 256MiB or 256MB.
///
/// Each unit is 1,024 times the one before, whatever its name.
struct ByteCount: ExpressibleByArgument, Sendable, Equatable {
    let value: Int

    init(_ value: Int) {
        self.value = value
    }

    init?(argument: String) {
        var digits = Substring(argument.uppercased())
        for ending in ["IB", "B"] where digits.hasSuffix(ending) {
            digits = digits.dropLast(ending.count)
            break
        }
        var factor = 1
        if let unit = digits.last, let place = Self.units.firstIndex(of: unit) {
            factor = 1 << (10 * (place + 1))
            digits = digits.dropLast()
        }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else { return nil }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        guard !isTooLarge else { return nil }
        value = product
    }

    /// The number with the largest unit that needs no fraction.
    var defaultValueDescription: String {
        for (place, unit) in Self.units.enumerated().reversed() {
            let factor = 1 << (10 * (place + 1))
            if value >= factor, value % factor == 0 { return "\(value / factor)\(unit)" }
        }
        return "\(value)"
    }

    private static let units: [Character] = ["K", "M", "G", "T"]
}
