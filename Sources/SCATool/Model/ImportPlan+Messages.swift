// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ModelStore

extension ImportPlan.Fault {
    /// Returns the failure of the command, with the option that removes the fault.
    func commandFailure(_ description: ModelFileDescription, _ interface: ConvertedInterface) -> CommandFailure {
        let choice = Self.choice(description, interface)
        let kind = description.labels.isEmpty ? "column" : "label"
        return switch self {
        case .arrayOrderOfImage:
            CommandFailure.usage(
                "The input of the model is an image, which has its order of colours. Leave --array out.")
        case .arrayNumbersOfImage:
            CommandFailure.usage(
                "The input of the model is an image, whose numbers are in the file. Leave --range, --mean and --scale out."
            )
        case .noArrayNumbers:
            CommandFailure.usage(
                "The input of the model is an array, and the file does not say which numbers stand for black and white. The"
                    + " model's author knows: give --range bytes (0 to 255), unit (0 to 1) or signed (-1 to 1), or --mean"
                    + " and --scale.")
        case .noPicture: CommandFailure(interface.explanationOfNoPicture)
        case .noArrayOrder:
            CommandFailure.usage(
                "The input of the model is an array, and no image. Give the order of its colours with --array rgb or"
                    + " --array bgr.")
        case .noRow(let name, let lengths):
            CommandFailure(
                "The output \(TerminalText.printable(name)) is an array of"
                    + " \(lengths.filter { $0 > 1 }.map(String.init).joined(separator: " × ")), such as a map of heat or a list"
                    + " of boxes. None of its numbers is a score of the whole picture. Export the model with a mean or a"
                    + " maximum over its places, or use one that gives one row of scores.")
        case .noScores(let name):
            CommandFailure(
                "The output \(TerminalText.printable(name)) comes from a linear layer, so its numbers have no bounds and are"
                    + " no scores. Export the model with a softmax or a sigmoid at its end.")
        case .noSensitiveColumn:
            CommandFailure.usage("Name what means sensitive content with --sensitive. \(choice)")
        case .repeatedColumn: CommandFailure.usage("--sensitive names a label twice. Name each label once.")
        case .repeatedLabel(let label, let count):
            CommandFailure(
                "The label \(TerminalText.printable(label)) occurs \(count) times in the model. Export the model with"
                    + " labels that differ.")
        case .unknownColumn(let name):
            CommandFailure.usage("The model has no \(kind) \(TerminalText.printable(name)). \(choice)")
        }
    }

    /// Returns the values that `--sensitive` may have, in a sentence.
    private static func choice(_ description: ModelFileDescription, _ interface: ConvertedInterface) -> String {
        guard !description.labels.isEmpty || interface.outputs.count == 1 else {
            let outputs = interface.outputs.map { output in
                "\(TerminalText.printable(output.feature)) (columns 0 to \(output.count - 1))"
            }
            return "The model has several outputs and no labels; use OUTPUT:COLUMN. Its outputs are:"
                + " \(outputs.joined(separator: ", "))."
        }
        guard !description.labels.isEmpty else {
            return "The model has no labels; use the number of a column, from 0 to"
                + " \((interface.outputs.first?.count ?? 1) - 1)."
        }
        let names = description.labels.prefix(20).map(TerminalText.printable).joined(separator: ", ")
        return "Its labels are: \(names)\(description.labels.count > 20 ? ", …" : "")."
    }
}

extension ImportedName.Fault {
    /// The failure of the command, with the option that removes the fault.
    var commandFailure: CommandFailure {
        switch self {
        case .noName:
            CommandFailure.usage(
                "The file's name gives no model name of 1 to 64 letters and digits. Choose a name with --name.")
        case .impossible:
            CommandFailure.usage("--name must have 1 to 64 lower-case letters, digits and hyphens.")
        case .ofDefaultModel:
            CommandFailure.usage(
                "The name \(InstalledModels.defaultModelName) belongs to the default model. Choose another name with"
                    + " --name.")
        case .taken(let name):
            CommandFailure.usage(
                "A model named \(name) is installed already. Choose another name with --name, or remove the folder that"
                    + " 'sca model list' shows.")
        }
    }
}

extension ConvertedInterface {
    var explanationOfNoPicture: String {
        "The input of the model is an array of \(channelCount) × \(height) × \(width), and no picture. Use a model that"
            + " takes pictures."
    }
}
