// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The last known state of the parental controls that the desktop keeps in AccountsService.
package enum ParentalControlsState: Sendable, Hashable {
    /// AccountsService is not installed.
    case notInstalled
    /// The administrator's file switches the use of AccountsService off.
    case notUsed
    /// AccountsService is installed and has not answered; the text is the reason.
    case unanswered(String)
    /// The filter in the last answer; nil if AccountsService has no parental controls.
    case answered(OARSFilter?)

    /// The state before the first request.
    static let notAsked = ParentalControlsState.unanswered("It has not been asked yet.")
}

extension ParentalControlsState: PolicySourceState {
    package var title: String { "parental controls of the desktop" }

    package var summary: String {
        switch self {
        case .notInstalled: "AccountsService is not installed"
        case .notUsed: "not used, says the administrator's file"
        case .unanswered(let reason): "no answer. \(reason)"
        case .answered(nil): "none; malcontent is not installed"
        case .answered(let filter?):
            switch filter.communicationSafety {
            case .unknown: "a filter that is not understood (\(filter.nudityInWords))"
            case .on, .off: "sex-nudity is \(filter.nudityInWords)"
            }
        }
    }

    package func makeSource(_ sources: PolicySources) -> any PolicySource { AccountsServiceSource(sources) }

    package var hasAnswered: Bool { if case .unanswered = self { false } else { true } }

    package var communicationSafety: CommunicationSafety {
        switch self {
        case .notInstalled, .notUsed, .answered(nil): .off
        case .unanswered: .unknown
        case .answered(let filter?): filter.communicationSafety
        }
    }
}
