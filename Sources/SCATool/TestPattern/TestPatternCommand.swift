// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import ArgumentParser

package struct TestPatternCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "test-pattern",
        abstract: "Write a harmless picture or video that counts as sensitive in test mode.",
        discussion: """
            It shows a QR code; a GIF after one second, an MP4 from two to four seconds. Wherever test mode is on \
            (SCA_TEST_MODE=1 in the environment), what shows it is reported as sensitive; everywhere else it is \
            ordinary. Use it to see how an app responds:

              sca test-pattern --output pattern.png
              SCA_TEST_MODE=1 sca analyze -- pattern.png

            Exit codes: 0 written, 64 wrong usage or the file exists, 74 it cannot be written.
            """)

    @Option(
        name: [.short, .long], help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What the picture stands for: \(ContentType.names(joinedBy: " or ")).",
            valueName: "content type"), completion: .list(ContentType.allCases.map(\.rawValue)))
    var type = ContentType.sexuallyExplicit.rawValue

    @Option(help: "The kind of file; by the name of the file unless given.")
    var format: TestPatternFormat?

    @Flag(name: .long, help: "Replace the file if it exists.")
    var force = false

    package init() {}

    package func run() throws {
        guard let type = ContentType(rawValue: type) else {
            throw CommandFailure.usage(
                "There is no test pattern for '\(type)'. Use \(ContentType.names(joinedBy: " or ")).")
        }
        guard let format = format ?? TestPatternFormat(fileName: output) else {
            throw CommandFailure.usage(
                "The name of the file tells no kind that can be written. Let it end in .png, .gif or .mp4, or choose a"
                    + " kind with --format.")
        }
        var outputs = OutputOpener(replacesFiles: force)
        let file = try outputs.open(output, for: "--output", permissions: 0o666)
        file.write(format.file(of: TestPatternCode(type)))
        file.finish()
    }
}

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

    /// Returns a small picture, because samples without compression take much space.
    private static func smallPicture(of code: TestPatternCode?) -> TestPatternPicture {
        TestPatternPicture(of: code, width: 320, height: 240, module: 5)
    }
}
