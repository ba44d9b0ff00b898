// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol

extension HelperKind {
    /// Returns the failure for the caller, with a message that names the failure, the bound and the remedy.
    func failure(_ problem: HelperProblem) -> AnalysisFailure {
        if case .stopped = problem {
            return AnalysisFailure(
                .timedOut,
                "Another program has stopped the process that was to answer (SIGSTOP), and it was ended. Find out which"
                    + " program stops it, and analyse the file again.")
        }
        return switch purpose {
        case .decoding: decodingFailure(problem)
        case .encoding: encodingFailure(problem)
        case .inference: inferenceFailure(problem)
        }
    }

    private func decodingFailure(_ problem: HelperProblem) -> AnalysisFailure {
        switch problem {
        case .unavailable(let error): unavailable(error, "decoder", .decoderUnavailable)
        case .contradiction:
            AnalysisFailure(
                .decoderFailed,
                "The decoder gave an answer that contradicts itself, and was replaced. Take the file for hostile, or"
                    + " run `sca doctor` if this happens with others.")
        case .invalidAnswer:
            AnalysisFailure(
                .decoderFailed,
                "The decoder gave no valid answer, and was replaced. Take the file for hostile, or run `sca doctor`"
                    + " if this happens with others.")
        case .endedTwice:
            AnalysisFailure(
                .decoderFailed,
                "The decoder ended unexpectedly twice with this input, which is likely to be damaged or"
                    + " hostile, or to need more memory than the limit allows. Get the file again, or raise the limit if it"
                    + " can be trusted.")
        case .timedOut(let limits):
            AnalysisFailure(
                .timedOut,
                "Decoding took longer than the limit of \(limits.words). Raise that limit if the media can be trusted.")
        case .stopped: failure(problem)
        }
    }

    private func encodingFailure(_ problem: HelperProblem) -> AnalysisFailure {
        switch problem {
        case .unavailable(let error): unavailable(error, "encoder", .decoderUnavailable)
        case .contradiction, .invalidAnswer:
            AnalysisFailure(
                .decoderFailed,
                "The encoder gave no valid answer, and was replaced. Try again, and run `sca doctor` if it happens again."
            )
        case .endedTwice:
            AnalysisFailure(
                .decoderFailed,
                "The encoder ended unexpectedly twice with this picture. Ask for a smaller copy, or for another format."
            )
        case .timedOut(let limits):
            AnalysisFailure(
                .timedOut,
                "Encoding took longer than the limit of \(limits.answer.inSeconds), four times that of decoding. Ask for a"
                    + " smaller copy, or raise that limit.")
        case .stopped: failure(problem)
        }
    }

    private func inferenceFailure(_ problem: HelperProblem) -> AnalysisFailure {
        switch problem {
        case .unavailable(.refused(let failure)): AnalysisFailure(failure)
        case .unavailable(.tooManyPixels):
            AnalysisFailure(
                .modelUnavailable,
                "The model asks for pictures that are too large to be handed to it. Use another model.")
        case .unavailable(let error): unavailable(error, "model's process", .modelUnavailable)
        case .contradiction, .invalidAnswer:
            AnalysisFailure(
                .modelUnavailable,
                "The model's process gave no valid answer, and was replaced. Try again, and run `sca doctor` if it happens"
                    + " again.")
        case .endedTwice:
            AnalysisFailure(
                .modelUnavailable,
                "The model's process ended unexpectedly twice. Make memory free, and run `sca doctor` for details.")
        case .timedOut(let limits):
            AnalysisFailure(
                .timedOut,
                "The model took longer than the limit of \(limits.answer.inSeconds). Try again when the machine is less"
                    + " busy.")
        case .stopped: failure(problem)
        }
    }

    private func unavailable(
        _ error: HelperProcessError, _ name: String, _ code: AnalysisFailure.Code
    ) -> AnalysisFailure {
        if let number = error.shortage {
            return AnalysisFailure(
                code,
                "The \(name) could not be used, since the system gives no more (error \(number)): close files or end"
                    + " processes, or raise the limits of this one (ulimit).", cause: error)
        }
        if case .lacksLayers(let layers) = error {
            return AnalysisFailure(
                code,
                "The whole sandbox is required, and this system lacks \(layers.map(\.name).joined(separator: ", "))."
                    + " `sca doctor` says what to do; or require less.", cause: error)
        }
        let reason =
            switch error {
            case .cannotStart(.systemCall(let call, let number)): "\(call) failed with error \(number)"
            case .cannotStart: "no connection could be made"
            case .differentVersion(let version):
                "it is of \(version), and this library of version \(PackageVersion.current)"
            case .ended: "it ended at once"
            case .timedOut: "it did not answer"
            case .stopped: "another program has stopped it"
            case .invalidAnswer, .unaskedAnswer, .lacksLayers, .gaveWay, .hostShortage, .refused, .tooManyPixels:
                "it does not speak the protocol"
            }
        return AnalysisFailure(
            code,
            "The \(name) could not be used: \(reason). Build or install it anew, and run `sca doctor` for details.",
            cause: error)
    }
}

extension AnalysisFailure {
    /// Makes the failure for the caller from a failure of the model's process.
    init(_ failure: ModelFailure) {
        switch failure.reason {
        case .unusable: self.init(.modelUnavailable, failure.detail)
        case .wrongAnswer:
            self.init(
                .modelUnavailable,
                "The model gives other scores than it must to pictures that are known, so none of its scores was used"
                    + " (\(failure.detail)). Install the model and OpenVINO anew, and run `sca doctor`. If its manifest was"
                    + " changed, undo that, or add the model anew.")
        case .tooLarge:
            self.init(
                .limitExceeded,
                "The image needs more memory than the model's process may use. Scale it down first.")
        }
    }
}

extension Duration {
    /// The duration as text, in seconds, or in milliseconds if it is not a whole number of seconds.
    fileprivate var inSeconds: String {
        let milliseconds = Int(self / .milliseconds(1))
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}

extension ConversationLimits {
    /// The text of the time limits for a message, without a limit that the other limit makes unreachable.
    fileprivate var words: String {
        let ofFile = "\(total.inSeconds) for all pictures of the file"
        if total == answer { return answer.inSeconds }
        return total < answer ? ofFile : "\(answer.inSeconds) for one picture, or of \(ofFile)"
    }
}
