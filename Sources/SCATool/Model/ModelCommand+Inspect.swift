// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ArgumentParser
internal import HelperHost
internal import ModelStore

extension ModelCommand {
    struct Inspect: ParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Show what a Core ML model contains, and whether it can be imported.",
            discussion: "The file is read in a closed process. The exit code is 1 if the file cannot be imported.")

        @Argument(
            help: ArgumentHelp("The file .mlmodel, or the folder .mlpackage.", valueName: "file"),
            completion: .file(extensions: ["mlmodel", "mlpackage"]))
        var file: String

        @Flag(help: "Refuse to read the file without every layer of the sandbox; sca doctor names what is missing.")
        var requireSandbox = false

        func run() throws {
            let contents = try ModelFile.read(file, requiresSandbox: requireSandbox).contents
            let description = contents.description
            for (name, value) in Self.lines(contents) {
                var start = "\(name):"
                for line in TextFrame.wrapped(TerminalText.printable(value), width: TextFrame.width) {
                    StandardOutput.write(line: start.padded(to: 14) + line)
                    start = ""
                }
            }
            var faults = description.unsupportedParts
            if let interface = contents.interface, let fault = ImportPlan.fault(of: interface) {
                faults.append(fault.commandFailure(description, interface).description)
            }
            if faults.isEmpty {
                let column = (contents.interface?.outputs.count ?? 1) > 1 ? "OUTPUT:COLUMN" : "COLUMN"
                let label = description.labels.isEmpty ? column : "LABEL"
                let array = contents.interface?.channelOrder == nil ? " --array rgb|bgr --range bytes|unit|signed" : ""
                StandardOutput.write(
                    line: "\nThe model can be imported: sca model import --sensitive \(label)\(array) --"
                        + " \(Self.quoted(file))")
                return
            }
            StandardOutput.write(line: "\nThe model cannot be imported:")
            for part in faults {
                StandardOutput.write(line: "- \(TerminalText.printable(part))")
            }
            throw ExitCode(1)
        }

        /// Returns the name of a file for a shell, which must not obey it: a stranger may have chosen it.
        private static func quoted(_ path: String) -> String {
            let text = TerminalText.printable(path)
            guard !text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }) else {
                return text
            }
            return "'\(text.replacing("'", with: "'\\''"))'"
        }

        private static func lines(_ contents: ModelFileContents) -> [(String, String)] {
            let description = contents.description
            var lines = [("Kind", "\(description.kind), version \(description.specificationVersion) of the format")]
            func add(_ name: String, _ value: String) { if !value.isEmpty { lines.append((name, value)) } }
            add("Summary", shortened(description.summary))
            add("Author", shortened(description.author))
            add("Licence", shortened(description.licence))
            add("Version", description.version)
            for input in description.inputs { add("Input", "\(shortened(input.name)), \(input.type)") }
            for output in description.outputs {
                let columns =
                    contents.interface?.outputs.first { $0.feature == output.name && description.labels.isEmpty }
                    .map { ", columns 0 to \($0.count - 1)" } ?? ""
                add("Output", "\(shortened(output.name)), \(output.type)\(columns)")
            }
            let shown = description.labels.prefix(mostLabels).joined(separator: ", ")
            let rest = description.labels.count - mostLabels
            add("Labels", rest > 0 ? "\(shown) and \(rest) more" : shown)
            add("Layers", description.layers.map { "\($0.count) \($0.kind)" }.joined(separator: ", "))
            return lines
        }

        /// Returns the beginning of a long text, and the number of characters that are left out.
        private static func shortened(_ text: String) -> String {
            let rest = text.count - mostCharacters
            return rest > 0 ? "\(text.prefix(mostCharacters))… (\(rest) more characters)" : text
        }

        private static let mostLabels = 20
        private static let mostCharacters = 400
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
