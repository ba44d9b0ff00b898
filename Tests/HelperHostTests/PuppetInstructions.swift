// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The instructions of `TestDecoder`, by their expected outcome.
enum PuppetInstructions {
    static let lies = [
        "garbage", "other-kind", "other-serial", "zero-width", "wide", "huge", "narrow-rows", "wide-rows", "no-views",
        "many-views", "over-reduced", "under-reduced", "attachment",
    ]
    static let crashes = ["crash", "abort", "kill", "exit"]
    static let hangs = ["hang", "spin", "late"]
    /// Instructions that the filter of system calls stops.
    static let effects = ["fork /bin/true", "execute /bin/true", "socket", "signal-parent", "memory-file"]
    /// Instructions that give a correct answer, and then answers that nobody requested.
    static let furtherAnswers = ["twice", "flood"]
    /// Films with false answers, or with a crash before their end.
    static let filmLies = [
        "backwards", "endless", "late-frame", "never", "many-tracks", "wrong-pixels", "unasked-pattern", "many-decoded",
        "crash-later",
    ]
}
