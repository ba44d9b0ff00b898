// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The test pattern as a picture: the code in the middle of a plain background.
enum TestPatternPicture {
    /// A picture of 640 × 480 pixels.
    static func picture(of code: TestPatternCode) -> PNGPicture {
        let (width, height, module, quietZone) = (640, 480, 9, 4)
        let (background, light, dark): (UInt8, UInt8, UInt8) = (200, 255, 0)
        let left = (width - TestPatternCode.size * module) / 2
        let top = (height - TestPatternCode.size * module) / 2
        let area = -quietZone..<(TestPatternCode.size + quietZone)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height {
            let row = Int((Double(y - top) / Double(module)).rounded(.down))
            for x in 0..<width {
                let column = Int((Double(x - left) / Double(module)).rounded(.down))
                if area.contains(row) && area.contains(column) {
                    pixels.append(code.isDark(column: column, row: row) ? dark : light)
                } else {
                    pixels.append(background)
                }
            }
        }
        return PNGPicture(width: width, height: height, pixels: pixels)
    }
}
