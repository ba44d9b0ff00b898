// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The options about the words of a set's labels.
struct LabelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A label that stands for sensitive content, beside 'sensitive'; may be repeated.", valueName: "label"))
    var sensitive: [String] = []

    @Option(
        help: ArgumentHelp(
            "A label that stands for harmless content, beside 'harmless' and 'not-sensitive'; may be repeated.",
            valueName: "label"))
    var harmless: [String] = []

    @Option(help: ArgumentHelp("A label whose files are left out; may be repeated.", valueName: "label"))
    var ignore: [String] = []
}
