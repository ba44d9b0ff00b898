// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import ArgumentParser
internal import Foundation

package struct TestPatternCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "test-pattern",
        abstract: "Write a harmless picture that counts as sensitive in test mode.",
        discussion: """
            The picture shows a QR code. Wherever test mode is on (SCA_TEST_MODE=1 in the environment), an image that \
            shows it is reported as sensitive; everywhere else it is an ordinary picture. Use it to see how an app \
            responds:

              sca test-pattern --output pattern.png
              SCA_TEST_MODE=1 sca analyze pattern.png
            """)

    @Option(
        name: [.short, .long], help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"))
    var output: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What the picture stands for: \(ContentType.known.map(\.rawValue).joined(separator: " or ")).",
            valueName: "content type"))
    var type = ContentType.sexuallyExplicit.rawValue

    @Flag(name: .long, help: "Replace the file if it exists.")
    var force = false

    package init() {}

    package func run() throws {
        guard let code = TestPatternCode(ContentType(rawValue: type)) else {
            throw ValidationError(
                "There is no test pattern for '\(type)'. Use \(ContentType.known.map(\.rawValue).joined(separator: " or "))."
            )
        }
        let picture = Data(TestPatternPicture.picture(of: code).encoded())
        if output == "-" {
            try FileHandle.standardOutput.write(contentsOf: picture)
            return
        }
        do {
            try picture.write(to: URL(fileURLWithPath: output), options: force ? .atomic : .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw ValidationError("\(output) exists already. Name another file, or replace it with --force.")
        } catch {
            throw CommandFailure("\(output) could not be written: \(error.localizedDescription)")
        }
    }
}
