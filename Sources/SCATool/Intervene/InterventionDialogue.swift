// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisEngine
internal import Foundation
internal import Glibc
internal import InterventionKit
internal import SensitiveContentAnalysis

/// The walk through an intervention, one screen after the other.
struct InterventionDialogue {
    private let media: DemonstrationMedia
    private let screen: InterventionScreen
    /// The file for the cover, or nil if no cover was requested.
    private let cover: OutputFile?
    /// Returns the next line of the person's input; nil at the end.
    private let input: () -> String?
    private var flow: InterventionFlow
    private var finding: DemonstrationMedia.Finding?

    init(
        media: DemonstrationMedia, direction: MediaDirection, isChild: Bool, screen: InterventionScreen,
        cover: OutputFile?, input: @escaping () -> String?
    ) {
        self.media = media
        self.screen = screen
        self.cover = cover
        self.input = input
        flow = InterventionFlow(
            policy: isChild ? .descriptiveInterventions : .simpleInterventions, direction: direction,
            abilities: Set(InterventionAbility.allCases))
    }

    /// Shows screens and asks for choices, until the person ends the walk.
    mutating func run() async throws {
        if let cover { try CoverFile.write(try await media.samples(.full), to: cover) }
        show(screen.introduction(of: media, flow))
        while true {
            if flow.needsCheck { try await check() }
            let samples = screen.drawsCover(flow) ? try await media.samples(flow.presentation.cover) : nil
            show(screen.lines(for: flow, media, finding, samples: samples))
            let choices = flow.presentation.actions + flow.presentation.menu
            guard !choices.isEmpty || flow.presentation.closingAction != nil else { return }
            guard let event = nextEvent(choices) else { return }
            if let request = flow.handle(event) { show(screen.lines(for: request, flow)) }
        }
    }

    private mutating func check() async throws {
        _ = flow.handle(.checkBegan)
        show(screen.lines(for: flow, media, finding, samples: nil))
        let bar = ProgressBar()
        bar.update(found: 1, isComplete: true)
        bar.began(0, name: nil)
        let finding = try await media.check { share in
            bar.note(MediaProgress(share: share, position: .zero, duration: nil), of: 0)
        }
        bar.end()
        self.finding = finding
        _ = flow.handle(.checkEnded(finding.verdict, policy: flow.policy))
    }

    /// Returns the event of the person's choice, or nil to end.
    private func nextEvent(_ choices: [InterventionAction]) -> InterventionEvent? {
        let presentation = flow.presentation
        let closing = presentation.closingAction == nil ? "" : ", c to close the pane"
        let standard = presentation.defaultAction.flatMap { choices.firstIndex(of: $0) }
        let key = standard.map { ", Return for \($0 + 1)" } ?? ""
        while true {
            // Input from before this question is dropped, because it cannot be an answer to it.
            tcflush(STDIN_FILENO, TCIFLUSH)
            let question = "\(Self.numbers(choices.count)) to choose\(key)\(closing), q to end:"
            StandardError.write("\(TerminalText.wrapped(question, for: STDERR_FILENO)) ")
            guard let line = input()?.trimmingCharacters(in: .whitespaces).lowercased(), line != "q" else {
                StandardError.write("\n")
                return nil
            }
            // Input from a pipe is not visible otherwise.
            if isatty(STDIN_FILENO) == 0 { StandardError.write("\(line)\n") }
            if line == "c", presentation.closingAction != nil { return .closed }
            if line.isEmpty, let standard { return .chosen(choices[standard]) }
            if let number = Int(line), choices.indices.contains(number - 1) { return .chosen(choices[number - 1]) }
        }
    }

    private static func numbers(_ count: Int) -> String { count == 1 ? "1" : "1 to \(count)" }

    private func show(_ lines: [String]) {
        for line in lines { StandardOutput.write(line: line) }
    }
}
