// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import Foundation
internal import HelperHost
internal import InterventionKit
internal import SensitiveContentAnalysis

package struct InterveneCommand: AsyncParsableCommand, CommandWithNames {
    package static let configuration = CommandConfiguration(
        commandName: "intervene",
        abstract: "Walk through what an app shows and asks before it shows a picture or a video.",
        discussion: """
            A demonstration in the terminal of what apps do with InterventionKit. Nothing is \
            sent, nobody is blocked, and the file stays as it is.

              sca intervene --as child -- photo.jpg          what a child is asked
              sca intervene --as child --way sending -- photo.jpg
              sca intervene --pretend nudity -- photo.jpg    as if it had been found

            Exit codes: 0 it went to its end, 1 there is no picture to make a cover of, 64 wrong usage or no such file, \
            74 the cover or standard output cannot be written, 130 interrupted.
            """)

    @Argument(help: ArgumentHelp("The picture or video.", valueName: "file"), completion: .file())
    var path: String

    @Option(name: .customLong("as"), help: "Who is protected; by the policy in force unless given.")
    var person: PersonArgument?

    @Option(help: "The way that the media takes.")
    var way = WayArgument.receiving

    @Option(help: "Go on as if this had been found.")
    var pretend: PretendArgument?

    @Option(
        help: ArgumentHelp("The language of the words, for example es; by the locale unless given.", valueName: "tag"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            "The country of the helplines, for example ES; by the locale unless given.", valueName: "code"))
    var country: String?

    @Option(
        help: ArgumentHelp("Also write the cover, as an app would show it.", valueName: "file.png"), completion: .file()
    )
    var saveCover: String?

    @Flag(name: .long, help: "Replace the file for the cover if it exists.")
    var force = false

    package init() {}

    enum PersonArgument: String, ExpressibleByArgument, CaseIterable {
        case adult
        case child
    }

    enum WayArgument: String, ExpressibleByArgument, CaseIterable {
        case receiving
        case sending
        case live

        var direction: MediaDirection {
            switch self {
            case .receiving: .receiving
            case .sending: .sending
            case .live: .live
            }
        }
    }

    struct PretendArgument: ExpressibleByArgument {
        let verdict: MediaVerdict

        init?(argument: String) {
            switch argument {
            case "harmless": verdict = .notSensitive
            case "unknown": verdict = .unknown
            default:
                guard let type = ContentType.allCases.first(where: { $0.catalogName == argument }) else { return nil }
                verdict = .sensitive([.init(rawValue: type.rawValue)])
            }
        }

        static var allValueStrings: [String] { ContentType.allCases.map(\.catalogName) + ["harmless", "unknown"] }
    }

    package func validate() throws {
        let languages = StringCatalog.standard.languages
        if let language, !languages.contains(where: { language.lowercased().split(separator: "-").first ?? "" == $0 }) {
            throw ValidationError(
                "There are no words in \"\(language)\". Choose one of \(languages.sorted().joined(separator: ", ")).")
        }
        if let country, country.wholeMatch(of: /[A-Za-z]{2}/) == nil {
            throw ValidationError("\"\(country)\" is no code of a country. Give two letters, for example ES.")
        }
    }

    package func run() async throws {
        InterruptSignal.handle { ProcessEnd.now(130) }
        var outputs = OutputOpener(inputs: [path], replacesFiles: force, standardOutputUser: "the dialogue")
        try outputs.checkStandardOutput()
        let cover = try saveCover.map { try outputs.open($0, for: "--save-cover", permissions: 0o666) }
        let authority = await AnalysisAuthority.current(demand: person == .child ? .descriptive : .simple)
        if authority.isProtected, person == .adult {
            StandardError.write(
                "This account is or may be under Communication Safety, so it is shown what a child is; see 'sca policy show'.\n"
            )
        }
        if let country, !HelpDirectory.standard.resources.contains(where: { $0.country == country.uppercased() }) {
            StandardError.write(
                "No services of \(country.uppercased()) are known, so help is what works in several countries.\n")
        }
        let media = DemonstrationMedia(path: path, authority: authority, pretended: pretend?.verdict)
        try media.checkThatItCanBeOpened()
        var dialogue = InterventionDialogue(
            media: media, direction: way.direction, isChild: authority.policy == .descriptive,
            screen: InterventionScreen(
                words: InterventionWords(languages: language.map { [$0] }), help: PersonalHelp.ofAccount(),
                country: country, showsStyles: TerminalText.showsStyles,
                columns: TerminalText.columns(of: STDOUT_FILENO)),
            cover: cover, input: { readLine() })
        try await dialogue.run()
    }
}
