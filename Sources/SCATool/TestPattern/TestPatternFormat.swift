// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ArgumentParser
internal import CTestPatternFiles

/// The kinds of files in which the test pattern is written.
enum TestPatternFormat: String, ExpressibleByArgument, CaseIterable {
    case png
    case gif
    case mp4

    /// Selects the format by the ending of a file name; PNG for a name without an ending, and nil for another ending.
    init?(fileName: String) {
        let name = fileName.split(separator: "/").last.map(String.init) ?? fileName
        guard let dot = name.dropFirst().lastIndex(of: "."), name != ".." else {
            self = .png
            return
        }
        self.init(rawValue: name[name.index(after: dot)...].lowercased())
    }

    /// Returns the content of the file.
    ///
    /// Animations and videos show the pattern only after a while, so a check of the first frame does not find it.
    func file(of type: ContentType) -> [UInt8] {
        let file =
            switch (type, self) {
            case (.sexuallyExplicit, .png): unsafe CTestPatternFiles_sexuallyExplicitPNG()
            case (.sexuallyExplicit, .gif): unsafe CTestPatternFiles_sexuallyExplicitGIF()
            case (.sexuallyExplicit, .mp4): unsafe CTestPatternFiles_sexuallyExplicitMP4()
            case (.goreOrViolence, .png): unsafe CTestPatternFiles_goreOrViolencePNG()
            case (.goreOrViolence, .gif): unsafe CTestPatternFiles_goreOrViolenceGIF()
            case (.goreOrViolence, .mp4): unsafe CTestPatternFiles_goreOrViolenceMP4()
            }
        return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
