// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ArgumentParser
internal import HelperHost

extension ModelCommand {
    struct Inspect: ParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Show what a Core ML file contains, and whether it can be imported.",
            discussion: "The file is read in a closed process. The exit code is 1 if the file cannot be imported.")

        @Argument(help: ArgumentHelp("The file, which ends in .mlmodel.", valueName: "file"))
        var file: String

        func run() throws {
            let contents = try ModelFile.read(file).contents
            let description = contents.description
            for (name, value) in Self.lines(description) {
                let indented = TerminalText.printable(value)
                StandardOutput.write(line: "\(name):".padded(to: 14) + indented)
            }
            if description.unsupportedParts.isEmpty {
                let label = description.labels.isEmpty ? "COLUMN" : "LABEL"
                let array = contents.interface?.channelOrder == nil ? " --array rgb|bgr" : ""
                StandardOutput.write(
                    line: "\nThe model can be imported: sca model import --sensitive \(label)\(array) --"
                        + " \(TerminalText.printable(file))")
                return
            }
            StandardOutput.write(line: "\nThe model cannot be imported:")
            for part in description.unsupportedParts {
                StandardOutput.write(line: "- \(TerminalText.printable(part))")
            }
            throw ExitCode(1)
        }

        private static func lines(_ description: ModelFileDescription) -> [(String, String)] {
            var lines = [("Kind", "\(description.kind), version \(description.specificationVersion) of the format")]
            func add(_ name: String, _ value: String) { if !value.isEmpty { lines.append((name, value)) } }
            add("Summary", description.summary)
            add("Author", description.author)
            add("Licence", description.licence)
            add("Version", description.version)
            for input in description.inputs { add("Input", "\(input.name), \(input.type)") }
            for output in description.outputs { add("Output", "\(output.name), \(output.type)") }
            let shown = description.labels.prefix(mostLabels).joined(separator: ", ")
            let rest = description.labels.count - mostLabels
            add("Labels", rest > 0 ? "\(shown) and \(rest) more" : shown)
            add("Layers", description.layers.map { "\($0.count) \($0.kind)" }.joined(separator: ", "))
            return lines
        }

        private static let mostLabels = 20
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
