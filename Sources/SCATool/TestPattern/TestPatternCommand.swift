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
        file.write(format.file(of: type))
        file.finish()
    }
}
