// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation
public import SensitiveContentAnalysis

/// The words of an intervention, in the person's language.
///
/// ```swift
/// let words = InterventionWords()
/// if let text = words.text(for: flow, about: .image) {
///     view.say(([text.title] + text.paragraphs).joined(separator: "\n"))
/// }
/// for action in flow.presentation.actions {
///     view.addButton(words.label(of: action, in: flow))
/// }
/// ```
///
/// Children read short, plain sentences that blame nobody. Adults read a short line. An app can replace any text by
/// a catalogue of its own, or by the standard catalogue with some texts replaced.
public struct InterventionWords: Sendable {
    private let languages: [String]
    private let catalog: StringCatalog

    /// Creates the words.
    ///
    /// - Parameters:
    ///   - languages: tags of BCP 47, the preferred language first; the languages of the process if nil. A text that is
    ///     missing in all of them is given in the catalogue's source language.
    ///   - catalog: the texts by the keys of ``StringCatalog/standard``.
    public init(languages: [String]? = nil, catalog: StringCatalog = .standard) {
        self.languages = LanguageList.withBases(languages ?? LanguageList.ofProcess())
        self.catalog = catalog
    }

    /// The main language of the words: the first language of the person in which the catalogue has any text.
    public var language: String {
        let known = catalog.languages
        return languages.first { known.contains($0) } ?? catalog.sourceLanguage
    }

    /// The writing direction of the language, for the layout of panes.
    public var writingDirection: Locale.LanguageDirection {
        Locale.Language(identifier: language).characterDirection
    }

    /// Returns the text of the flow's current pane; nil if no pane is shown.
    public func text(for flow: InterventionFlow, about kind: MediaKind) -> InterventionText? {
        guard let pane = flow.presentation.pane else { return nil }
        return flow.policy == .descriptiveInterventions
            ? childText(pane, flow, kind) : adultText(pane, flow)
    }

    /// Returns the progress of a check, for example "40% done"; nil if no check is shown or its share is unknown.
    public func progress(of flow: InterventionFlow) -> String? {
        guard flow.presentation.pane == .checking else { return nil }
        return flow.fractionCompleted.map { self["progress", count: Int(($0 * 100).rounded(.down))] }
    }

    /// Returns the label of an action.
    ///
    /// - Parameters:
    ///   - action: an action that the person can choose.
    ///   - flow: the flow that offers the action.
    ///   - grownUp: the name of the trusted grown-up; nil if it is unknown.
    public func label(
        of action: InterventionAction, in flow: InterventionFlow, grownUp: String? = nil
    ) -> String {
        guard flow.policy == .descriptiveInterventions else { return adultLabel(action) }
        if action == .contactGrownUp, let grownUp {
            return self["child.action.contactNamedGrownUp"].replacing("%@", with: isolated(grownUp))
        }
        return childLabel(action, flow)
    }

    /// Returns a line about the number of covered pieces of media, for example above a gallery.
    public func summary(ofCovered count: Int, policy: SCSensitivityAnalysisPolicy) -> String {
        self[policy == .descriptiveInterventions ? "child.count" : "adult.count", count: count]
    }

    /// Returns the purpose of a service, in a few words to show under its name.
    public func purpose(of resource: HelpResource, policy: SCSensitivityAnalysisPolicy) -> String {
        self["\(policy == .descriptiveInterventions ? "child" : "adult").topic.\(resource.topic.rawValue)"]
    }

    /// Returns a message to the trusted grown-up, which the child can change before sending it.
    public func message(for flow: InterventionFlow) -> String {
        self["child.\(flow.direction.rawValue).message"]
    }

    private func adultText(
        _ pane: InterventionPresentation.Pane, _ flow: InterventionFlow
    ) -> InterventionText {
        switch pane {
        case .checking: InterventionText(self["adult.checking"])
        case .help: InterventionText(self["adult.help.title"], [self["adult.help.introduction"]])
        case .degree: InterventionText(self["adult.degree"], [self["adult.\(finding(of: flow))"]])
        case .notice, .explanation, .confirmation, .declined:
            flow.direction == .live
                ? InterventionText(self["adult.live"], [self["adult.\(finding(of: flow))"]])
                : InterventionText(self["adult.\(finding(of: flow))"])
        }
    }

    private func childText(
        _ pane: InterventionPresentation.Pane, _ flow: InterventionFlow, _ kind: MediaKind
    ) -> InterventionText {
        let direction = flow.direction.rawValue
        let seeing = flow.direction == .sending ? "sending" : "receiving"
        switch pane {
        case .checking: return InterventionText(self["child.checking.\(kind.rawValue)"])
        case .help: return InterventionText(self["child.help.title"], [self["child.help.introduction"]])
        case .degree: return InterventionText(self["child.degree"])
        case .declined: return InterventionText(self["child.\(direction).declined"])
        case .confirmation:
            return InterventionText(self["child.confirmation.title"], [self["child.\(direction).confirmation"]])
        case .notice, .explanation:
            let title = flow.verdict == .unknown ? "child.unknown.title" : "child.\(seeing).title"
            return InterventionText(
                self["\(title).\(kind.rawValue)"],
                findings(of: flow).map { self["child.\($0)"] } + [
                    self["child.\(seeing).care"], self["child.\(direction).choice"],
                    self["child.\(direction).question"],
                ])
        }
    }

    private func adultLabel(_ action: InterventionAction) -> String {
        switch action {
        case .show, .view, .proceed, .reconsider, .send: self["adult.action.show"]
        case .showMore: self["adult.action.showMore"]
        case .cover, .decline: self["adult.action.cover"]
        case .help, .contactGrownUp: self["adult.action.help"]
        case .leaveHelp: self["adult.action.leaveHelp"]
        case .blockContact: self["adult.action.blockContact"]
        case .leaveStream: self["adult.action.leaveStream"]
        case .tryAgain: self["adult.action.tryAgain"]
        }
    }

    private func childLabel(_ action: InterventionAction, _ flow: InterventionFlow) -> String {
        let direction = flow.direction.rawValue
        return switch action {
        case .decline where flow.presentation.pane == .confirmation: self["child.\(direction).action.decline"]
        case .decline: self["child.action.decline"]
        case .reconsider: self["child.\(direction).action.reconsider"]
        case .show, .view: self[flow.direction == .live ? "child.action.resume" : "child.action.view"]
        case .proceed: self["child.action.proceed"]
        case .send: self["child.action.send"]
        case .showMore: self["child.action.showMore"]
        case .cover: self["child.action.cover"]
        case .help: self["child.action.help"]
        case .leaveHelp: self["child.action.leaveHelp"]
        case .contactGrownUp: self["child.action.contactGrownUp"]
        case .blockContact: self["child.action.blockContact"]
        case .leaveStream: self["child.action.leaveStream"]
        case .tryAgain: self["child.action.tryAgain"]
        }
    }

    private func finding(of flow: InterventionFlow) -> String {
        let findings = findings(of: flow)
        guard findings.count > 1 else { return findings[0] }
        let joined = findings[0] + findings.dropFirst().map { "And" + $0.capitalized }.joined()
        func has(_ finding: String) -> Bool { catalog.text("adult.\(finding)", in: languages, count: nil) != nil }
        // A combination without a text of its own is called sensitive, if the catalogue has that text.
        return !has(joined) && has("sensitive") ? "sensitive" : joined
    }

    private func findings(of flow: InterventionFlow) -> [String] {
        guard case .sensitive = flow.verdict else { return ["unknown"] }
        let names = flow.verdict.map { $0.ruledTypes.map(\.catalogName) } ?? []
        return names.isEmpty ? ["sensitive"] : names
    }

    /// Returns a name that is isolated from the writing direction of the text around it.
    ///
    /// Source: Unicode UAX #9, the isolates FSI and PDI.
    private func isolated(_ name: String) -> String { "\u{2068}\(name)\u{2069}" }

    private subscript(key: String, count count: Int? = nil) -> String {
        // An app's catalogue may lack a key. A button with the key is better than no button.
        guard let (text, language) = catalog.text(key, in: languages, count: count) else { return key }
        guard let count else { return text }
        return text.replacing("%lld", with: count.formatted(.number.locale(Locale(identifier: language))))
    }
}
