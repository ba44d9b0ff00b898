// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A subject that `sca help TOPIC` explains, and that has a manual page of its own.
enum HelpTopic: String, CaseIterable {
    case verdicts
    case exitCodes = "exit-codes"
    case names
    case folders
    case scripts
    case privacy
    case environment

    /// The subject of the topic, in one line.
    var title: String {
        switch self {
        case .verdicts: "what sensitive, not sensitive and unknown mean"
        case .exitCodes: "the exit codes of all commands"
        case .names: "names that begin with a dash, or that are not UTF-8"
        case .folders: "what is judged and what is skipped in folders"
        case .scripts: "scripts, jobs, and folders that are watched"
        case .privacy: "what is read, written and kept"
        case .environment: "the environment variables that are read"
        }
    }

    /// The paragraphs; lines of a paragraph that begin with spaces are commands, and keep their form.
    var paragraphs: [String] {
        switch self {
        case .verdicts: Self.verdictParagraphs
        case .exitCodes: Self.exitCodeParagraphs
        case .names: Self.nameParagraphs
        case .folders: Self.folderParagraphs
        case .scripts: Self.scriptParagraphs
        case .privacy: Self.privacyParagraphs
        case .environment: Self.environmentParagraphs
        }
    }

    /// Returns the text in lines of at most so many columns.
    func text(columns: Int) -> String {
        let paragraphs = paragraphs.map { paragraph in
            paragraph.hasPrefix(" ")
                ? paragraph : TextFrame.wrapped(paragraph, width: columns).joined(separator: "\n")
        }
        return ([title.prefix(1).uppercased() + title.dropFirst() + "."] + paragraphs).joined(separator: "\n\n")
    }

    /// The topic that the arguments request; nil if they request something else.
    static func requested(by arguments: [String]) -> HelpTopic? {
        guard arguments.count == 2, arguments[0] == "help" else { return nil }
        return HelpTopic(rawValue: arguments[1])
    }
}

extension HelpTopic {
    private static let verdictParagraphs = [
        "A verdict is sensitive, not sensitive or unknown. Sensitive means that the model's score for nudity, or for"
            + " another kind of content, reaches the threshold of the policy. The policy simple is for adults, and"
            + " descriptive, which has lower thresholds, for children.",
        "Unknown means that the file could not be analysed: it is damaged, too large, in no format that is read, or"
            + " programs show it in different ways. Unknown is not harmless. No error and no limit ever leads to"
            + " \"not sensitive\".",
        "A score is no probability, and a classifier makes mistakes in both directions. Look at what matters"
            + " yourself; --review 0.3-0.7 marks the files with a doubtful score. sca evaluate measures the mistakes on"
            + " files of your own. A video is sensitive from a moment on, which the table shows; a score in one brief frame need"
            + " not make it sensitive.",
    ]

    private static let exitCodeParagraphs = [
        "sca analyze ends with 0 if every input was analysed and none is sensitive, with 1 if at least one is"
            + " sensitive, and with 2 if none is sensitive and at least one could not be analysed. It ends with 66 if it"
            + " found no file that can be judged. It ends with 69 if the model is missing or damaged, and then it has"
            + " judged nothing.",
        "All commands end with 64 after wrong usage, with 74 if an output cannot be written or a file"
            + " cannot be moved, and with 130 after an interruption. A failed output counts more than a verdict.",
        "If the program that reads the results has ended, sca ends by SIGPIPE, which shells call 141.",
        "In a script, only 0 means that a file may be shown:",
        "    if sca analyze -q -- \"$file\"; then show \"$file\"; else hold \"$file\"; fi",
    ]

    private static let nameParagraphs = [
        "Put -- before names. A file can have a name such as --help, and whoever sent it has chosen the name. Without"
            + " --, sca refuses an argument that is both an option and a file.",
        "Names may have any bytes. The table shows bytes that are not UTF-8 as a replacement character; -l prints them"
            + " unchanged, and JSON lines have them in pathBase64. Use -0 for names with line breaks:",
        "    find . -newer mark -print0 | sca analyze -0 --files-from -",
        "An address such as https://example.com/a.jpg is not fetched. Download the file first.",
    ]

    private static let folderParagraphs = [
        "With --recursive, sca searches folders and all below them, in the order of the names. The content decides"
            + " what is judged. A file that is named like a picture or a video is not skipped, unless it is empty or a link."
            + " The endings .ts and .mts do not count, because source code has them.",
        "Skipped are sound without pictures, files that are no media, documents and archives, empty files, links, pipes"
            + " and devices. The totals count them by kind, and --list-skipped names each. Pictures in documents and"
            + " archives are not looked at; --strict calls such files unknown. Links are followed with --follow.",
        "--exclude, --include and --newer-than choose entries of folders. A path that is named is always judged.",
        "    sca analyze -r --exclude .git --exclude '*.part' --newer-than 7d -- Downloads",
    ]

    private static let scriptParagraphs = [
        "Check a file before it is uploaded or shown. The command prints nothing and ends at the first sensitive file:",
        "    sca analyze -q -- upload.jpg && mv upload.jpg accepted/",
        "Find the sensitive files of a library and move them. No file is ever replaced; try it with --dry-run first:",
        "    sca analyze -r --move-to Reviewed -- Pictures",
        "List what could not be judged, each name with a NUL behind it:",
        "    sca analyze -rl0 --only unknown -- Pictures | xargs -0 ls -l",
        "Judge a library every night. All hits are listed, and only what is new, has changed or was unknown is judged:",
        "    sca analyze -r --cache --only sensitive,unknown -- Pictures",
        "List the names of files with a doubtful score, for a person to look at:",
        "    sca analyze -rl --review 0.3-0.7 --only review -- Pictures",
        "Keep a folder watched with one process. inotifywait comes with inotify-tools:",
        "    inotifywait -mrq -e close_write -e moved_to --format '%w%f%0' --no-newline Downloads |\n"
            + "        sca analyze --unordered --format jsonl --skip-other -0 --files-from -",
        "Without --skip-other, every name in a list gets a verdict, so texts in the folder would be unknown.",
        "Programs read JSON lines (--format jsonl), one object for each file, or comma-separated values (--format csv).",
    ]

    private static let environmentParagraphs = [
        "XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_CACHE_HOME name the folders of this account's settings, of its models, and"
            + " of compiled models and the verdicts of --cache. They are ~/.config, ~/.local/share and ~/.cache without"
            + " these variables.",
        "SCA_MODELS and SCA_OPENVINO name folders that are searched first for models and for OpenVINO. SCA_LIBEXEC names a"
            + " folder that is searched last for the helper programs. A folder without them changes nothing;"
            + " sca doctor shows the places that are used.",
        "SCA_TEST_MODE=1 makes the test pattern count as sensitive, and takes time as well. To end test mode, remove the"
            + " variable, or say 'sca policy set --test-mode off'.",
        "NO_COLOR switches colours off.",
        "Under Communication Safety, none of them takes part in a verdict.",
    ]

    private static let privacyParagraphs = [
        "Nothing leaves the machine, and nothing is fetched. Media is decoded in processes without network and without"
            + " access to files; sca doctor shows whether this holds here.",
        "Verdicts are not logged and not kept, except where you ask for it: --report, --timeline and --explain write files that"
            + " only you can read, and --cache keeps verdicts by the content of files. sca evaluate keeps scores in the same place unless"
            + " --no-cache is given. No names are kept, and sca cache clear removes both.",
        "sca is made to protect the person who looks, and not to report on others.",
    ]
}
