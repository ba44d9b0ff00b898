// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import InterventionKit
internal import SensitiveContentAnalysis

/// The text in the terminal for a flow.
struct InterventionScreen {
    let words: InterventionWords
    let help: PersonalHelp
    /// The country of the helplines, or nil for the country of the locale.
    let country: String?
    let showsStyles: Bool
    /// The width of the terminal, in columns.
    let columns: Int

    /// The longest line of text, in columns.
    private var width: Int { TextFrame.width(columns: columns) }

    /// Returns the introduction: the person who is protected, the direction of the media and the file.
    func introduction(of media: DemonstrationMedia, _ flow: InterventionFlow) -> [String] {
        let person = flow.policy == .descriptiveInterventions ? "A child" : "An adult who has asked to be warned"
        let way =
            switch flow.direction {
            case .receiving: "receives"
            case .sending: "is about to send"
            case .live: "watches, as if it were a live stream,"
            }
        let pretence = media.pretended == nil ? "" : " What was found is pretended, for this demonstration."
        return wrapped(
            "\(person) \(way) \(media.name). What follows is what an app shows, with the person's choices.\(pretence)")
            + [""]
    }

    /// Returns the lines of a screen: the state of the media, its cover, the pane and the choices.
    func lines(
        for flow: InterventionFlow, _ media: DemonstrationMedia, _ finding: DemonstrationMedia.Finding?,
        samples: CoverSamples?
    ) -> [String] {
        let presentation = flow.presentation
        var content = stand(of: flow, media).flatMap { TextFrame.fitted($0, width: width) } + [""]
        if drawsCover(flow) {
            content += CoverDrawing.lines(of: samples, columns: columns, inColour: showsStyles) + [""]
        }
        if let text = words.text(
            for: flow, about: flow.direction == .live ? .stream : finding?.kind ?? media.likelyKind)
        {
            content += wrapped(text.title).map(styled) + [""]
            for paragraph in text.paragraphs { content += wrapped(paragraph) + [""] }
        }
        if presentation.pane == .help { content += resources(for: flow) }
        if let reason = finding?.reason, flow.verdict == .unknown, presentation.pane != .help {
            content += wrapped("(For you who try this out: \(reason))") + [""]
        }
        // Behind the number of a choice.
        content += choices(of: flow).flatMap { TextFrame.fitted($0, width: width, hanging: 3) }
        return presentation.style == .modal ? TextFrame.around(content, width: width) + [""] : content
    }

    /// Whether a cover is visible, without a pane over it.
    func drawsCover(_ flow: InterventionFlow) -> Bool {
        let presentation = flow.presentation
        return presentation.cover != .none && presentation.style == .inline
            && ![.checking, .help].contains(presentation.pane)
    }

    /// Returns lines that name the action of an app on a request.
    func lines(for request: InterventionRequest, _ flow: InterventionFlow) -> [String] {
        let deed: String
        switch request {
        case .send: deed = "An app would now send it."
        case .blockContact: deed = "An app would now block the contact."
        case .leaveStream: deed = "An app would now leave the stream."
        case .contactGrownUp:
            let person = help.trustedGrownUp.map { grownUp in
                " to \(grownUp.name)" + (grownUp.contact.map { " (\($0))" } ?? "")
            }
            deed =
                "An app would now open a message\(TerminalText.printable(person ?? "")): \"\(words.message(for: flow))\""
        }
        return [""] + wrapped("=> \(deed)") + [""]
    }

    /// Returns a line on whether the media can be seen and sent; an app shows this without words.
    private func stand(of flow: InterventionFlow, _ media: DemonstrationMedia) -> [String] {
        let presentation = flow.presentation
        switch (presentation.cover, flow.direction) {
        case (.none, .sending): return ["[\(media.name) can be sent.]"]
        case (.none, .live): return ["[The stream goes on, with its sound.]"]
        case (.none, .receiving): return ["[\(media.name) is shown.]"]
        case (.fine, _): return ["[\(media.name) is shown in fine shapes, without sound.]"]
        case (.coarse, _): return ["[\(media.name) is shown in coarse shapes, without sound.]"]
        case (.full, .sending) where presentation.maySend: return ["[\(media.name) can be sent.]"]
        case (.full, .sending): return ["[\(media.name) is covered, and is not sent.]"]
        case (.full, .live): return ["[The stream is covered, without sound.]"]
        case (.full, .receiving): return ["[\(media.name) is covered.]"]
        }
    }

    private func choices(of flow: InterventionFlow) -> [String] {
        let presentation = flow.presentation
        func line(_ number: Int, _ action: InterventionAction) -> String {
            let label = words.label(
                of: action, in: flow, grownUp: (help.trustedGrownUp?.name).map { TerminalText.printable($0) })
            let mark = action == presentation.defaultAction ? "   <- Return" : ""
            return "  \(number)  \(label)\(mark)"
        }
        let actions = presentation.actions.enumerated().map { line($0.offset + 1, $0.element) }
        let menu = presentation.menu.enumerated().map { line(presentation.actions.count + $0.offset + 1, $0.element) }
        return actions + (menu.isEmpty ? [] : (actions.isEmpty ? [] : ["  ..."]) + menu)
    }

    private func resources(for flow: InterventionFlow) -> [String] {
        let links = help.links.map { "  \($0.title): \($0.url.absoluteString)" }
        let places = HelpDirectory.standard.resources(for: flow.policy, country: country).flatMap { place in
            let numbers = [place.phone, place.sms.map { "SMS \($0)" }].compactMap { $0 }.joined(separator: ", ")
            let lines = [
                words.purpose(of: place, policy: flow.policy), numbers.isEmpty ? nil : numbers,
                place.url.absoluteString,
            ]
            return ["  \(place.name)"] + lines.compactMap { $0 }.map { "    \($0)" }
        }
        return (links + places).map { TerminalText.printable($0) }.flatMap { TextFrame.fitted($0, width: width) } + [""]
    }

    private func styled(_ title: String) -> String { TerminalText.styled(title, .bold, if: showsStyles) }

    private func wrapped(_ text: String) -> [String] { TextFrame.wrapped(text, width: width) }
}
