// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import ModelStore

/// Messages about arguments that all commands which judge media share.
extension AnalysisAuthority {
    /// Tells a person who demands the policy for adults that Communication Safety may demand a stricter one.
    func tellOfStricterPolicy(than policy: AnalyzeCommand.PolicyArgument) {
        guard isProtected, policy == .simple else { return }
        StandardError.write(
            "This account is or may be under Communication Safety, so the policy is descriptive; see 'sca policy show'.\n"
        )
    }

    /// Tells a person who asks for a threshold that Communication Safety may keep a stricter one.
    func tellOfThreshold() {
        guard threshold?.canOnlyTighten == true else { return }
        StandardError.write(
            "This account is or may be under Communication Safety, so --threshold can only make verdicts stricter.\n")
    }

    /// Returns a failure with the remedy, and with the place of the options if it is a limit.
    ///
    /// - Parameter command: the command whose help lists the options.
    func explained(_ failure: AnalysisFailure, in command: String) -> AnalysisFailure {
        var failure = explained(failure)
        if [.timedOut, .limitExceeded].contains(failure.code), failure.message.contains("Raise ") {
            failure.message += " The options are under LIMITS in '\(command) --help'."
            if failure.code == .timedOut, findsTestPatterns {
                failure.message += " Test mode is on, and takes time as well: 'sca help environment'."
            }
        }
        return failure
    }

    /// Returns the error about a model that cannot be used for any input; nil is the name of the default model.
    func modelFailure(_ failure: AnalysisFailure, named name: String?) -> CommandFailure {
        let explanation = ModelFault.explanation(
            of: explained(failure), model: name ?? InstalledModels.defaultModelName, in: paths.models)
        return CommandFailure("The model cannot be used. \(explanation)", exitCode: CommandFailure.unavailableCode)
    }

    /// Refuses a model that a person names and that is not installed or damaged, before every input is unknown for it.
    func requireModel(named name: String?) throws(CommandFailure) {
        guard let name else { return }
        do {
            try InstalledModels(folders: paths.models).model(named: name).requireFile()
        } catch {
            let message = explained(error).message
            let hint =
                message.contains("sca model list") ? "" : " 'sca model list' shows the models that are installed."
            throw .usage("\(message)\(hint)")
        }
    }
}
