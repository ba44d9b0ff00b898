// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation
public import SensitiveContentAnalysis

/// The words of an intervention, in the person's language.
///
/// Children are spoken to in short, plain sentences that blame nobody; adults in a short line. Everything can be
/// replaced: give a catalogue of your own, or the standard one with some texts replaced.
public struct InterventionWords: Sendable {
    private let languages: [String]
    private let catalog: StringCatalog

    /// Creates the words.
    ///
    /// - Parameters:
    ///   - languages: tags of BCP 47, the preferred one first; those of the process if nil. A text that is in none of
    ///     them is given in the catalogue's source language.
    ///   - catalog: the texts by the keys of ``StringCatalog/standard``.
    public init(languages: [String]? = nil, catalog: StringCatalog = .standard) {
        self.languages = LanguageList.withBases(languages ?? LanguageList.ofProcess())
        self.catalog = catalog
    }

    /// The language of most texts: the first of the person's that the catalogue has at all.
    public var language: String {
        let known = catalog.languages
        return languages.first { known.contains($0) } ?? catalog.sourceLanguage
    }

    /// The direction in which the language is written, by which an app lays out its panes.
    public var writingDirection: Locale.LanguageDirection {
        Locale.Language(identifier: language).characterDirection
    }

    /// What the pane of a flow says now; nil where there is nothing to say.
    public func text(for flow: InterventionFlow, about kind: MediaKind) -> InterventionText? {
        guard let pane = flow.presentation.pane else { return nil }
        return flow.policy == .descriptiveInterventions
            ? childText(pane, flow, kind) : adultText(pane, flow)
    }

    /// How far a check is that the person waits for, for example "40% done"; nil where there is none or it cannot tell.
    public func progress(of flow: InterventionFlow) -> String? {
        guard flow.presentation.pane == .checking else { return nil }
        return flow.fractionCompleted.map { self["progress", count: Int(($0 * 100).rounded(.down))] }
    }

    /// The label of an action.
    ///
    /// - Parameters:
    ///   - action: what the person can choose.
    ///   - flow: the flow that offers it.
    ///   - grownUp: the name of the trusted grown-up, where it is known.
    public func label(
        of action: InterventionAction, in flow: InterventionFlow, grownUp: String? = nil
    ) -> String {
        guard flow.policy == .descriptiveInterventions else { return adultLabel(action) }
        if action == .contactGrownUp, let grownUp {
            return self["child.action.contactNamedGrownUp"].replacing("%@", with: isolated(grownUp))
        }
        return childLabel(action, flow)
    }

    /// A line about several pieces of media that are covered, for example above a gallery.
    public func summary(ofCovered count: Int, policy: SCSensitivityAnalysisPolicy) -> String {
        self[policy == .descriptiveInterventions ? "child.count" : "adult.count", count: count]
    }

    /// What a service helps with, in a few words under its name.
    public func purpose(of resource: HelpResource, policy: SCSensitivityAnalysisPolicy) -> String {
        self["\(policy == .descriptiveInterventions ? "child" : "adult").topic.\(resource.topic.rawValue)"]
    }

    /// A message to the trusted grown-up, which the child can change before sending it.
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
        // A combination without a text of its own is called sensitive.
        return !has(joined) && has("sensitive") ? "sensitive" : joined
    }

    private func findings(of flow: InterventionFlow) -> [String] {
        guard case .sensitive = flow.verdict else { return ["unknown"] }
        let names = flow.verdict.map { $0.ruledTypes.map(\.catalogName) } ?? []
        return names.isEmpty ? ["sensitive"] : names
    }

    /// A name within a text whose language may be written in the other direction.
    ///
    /// Source: Unicode UAX #9, the isolates FSI and PDI.
    private func isolated(_ name: String) -> String { "\u{2068}\(name)\u{2069}" }

    private subscript(key: String, count count: Int? = nil) -> String {
        // A catalogue of the app's may lack a key; a key on a button is better than no button.
        guard let (text, language) = catalog.text(key, in: languages, count: count) else { return key }
        guard let count else { return text }
        return text.replacing("%lld", with: count.formatted(.number.locale(Locale(identifier: language))))
    }
}
