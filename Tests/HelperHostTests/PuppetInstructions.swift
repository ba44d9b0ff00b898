// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The instructions of `TestDecoder`, by what must come of them.
enum PuppetInstructions {
    static let lies = [
        "garbage", "other-kind", "other-serial", "zero-width", "wide", "huge", "narrow-rows", "wide-rows", "no-views",
        "many-views", "over-reduced", "under-reduced", "attachment",
    ]
    static let crashes = ["crash", "abort", "kill", "exit"]
    static let hangs = ["hang", "spin", "late"]
    /// What the filter of system calls ends.
    static let effects = ["fork /bin/true", "execute /bin/true", "socket", "signal-parent", "memory-file"]
    /// A right answer, and more that nobody has asked for.
    static let furtherAnswers = ["twice", "flood"]
    /// Films that are no truth, or are not shown to their end.
    static let filmLies = [
        "backwards", "endless", "late", "never", "many-tracks", "wrong-pixels", "unasked-pattern", "many-decoded",
        "crash-later",
    ]
}
