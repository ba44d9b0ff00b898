// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The QR code that stands in for sensitive content in tests and demonstrations.
///
/// The modules are constants of `ContentType`, so no encoder is needed.
struct TestPatternCode {
    /// The number of modules, the squares of the code, along an edge without the quiet zone.
    static let size = 33

    private let rows: [UInt64]

    init(_ type: ContentType) {
        rows = type.testPatternRows
    }

    /// Whether a module is dark; false for positions around the code, which are its quiet zone.
    func isDark(column: Int, row: Int) -> Bool {
        guard (0..<Self.size).contains(column), (0..<Self.size).contains(row) else { return false }
        return rows[row] >> UInt64(Self.size - 1 - column) & 1 == 1
    }
}

/// The test pattern as grey levels: the code in the middle of a plain background.
struct TestPatternPicture {
    let width: Int
    let height: Int
    /// `width` × `height` levels, row after row.
    let levels: [UInt8]

    /// - Parameters:
    ///   - code: the code to draw; nil for the background alone.
    ///   - module: the size of a module of the code, in pixels.
    init(of code: TestPatternCode?, width: Int = 640, height: Int = 480, module: Int = 9) {
        self.width = width
        self.height = height
        let quietZone = 4
        let left = (width - TestPatternCode.size * module) / 2
        let top = (height - TestPatternCode.size * module) / 2
        let area = -quietZone..<(TestPatternCode.size + quietZone)
        var levels: [UInt8] = []
        levels.reserveCapacity(width * height)
        for y in 0..<height {
            let row = Int((Double(y - top) / Double(module)).rounded(.down))
            for x in 0..<width {
                let column = Int((Double(x - left) / Double(module)).rounded(.down))
                if let code, area.contains(row), area.contains(column) {
                    levels.append(code.isDark(column: column, row: row) ? Self.dark : Self.light)
                } else {
                    levels.append(Self.background)
                }
            }
        }
        self.levels = levels
    }

    static let dark: UInt8 = 0
    static let background: UInt8 = 200
    static let light: UInt8 = 255
}
