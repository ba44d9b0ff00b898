// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The kinds of files in which the test pattern is written.
enum TestPatternFormat: String, ExpressibleByArgument, CaseIterable {
    case png
    case gif
    case mp4

    /// The format that a file name asks for; a picture where it asks for none.
    init(fileName: String) {
        self = Self.allCases.first { fileName.lowercased().hasSuffix(".\($0.rawValue)") } ?? .png
    }

    /// The content of the file.
    ///
    /// What moves shows the pattern only after a while, so that it is found only by whoever looks on.
    func file(of code: TestPatternCode) -> [UInt8] {
        switch self {
        case .png:
            let picture = TestPatternPicture(of: code)
            return PNGPicture(width: picture.width, height: picture.height, pixels: picture.levels).encoded()
        case .gif:
            return TestPatternGIF(frames: [
                (TestPatternPicture(of: nil), 100), (TestPatternPicture(of: code), 200),
            ]).encoded()
        case .mp4:
            let (blank, pattern) = (Self.smallPicture(of: nil), Self.smallPicture(of: code))
            return TestPatternMP4(shots: [(blank, 20), (pattern, 20), (blank, 20)]).encoded()
        }
    }

    /// Samples that are not compressed take their room.
    private static func smallPicture(of code: TestPatternCode?) -> TestPatternPicture {
        TestPatternPicture(of: code, width: 320, height: 240, module: 5)
    }
}
