// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import Glibc

/// A moment that an argument names: an age (30m, 12h, 7d, 2w), a date (2026-11-01), or the time of a file.
struct TimeLimit: ExpressibleByArgument, Sendable {
    private let seconds: Int
    private let nanoseconds: Int

    init?(argument: String) {
        self.init(argument, now: time(nil))
    }

    init?(_ argument: String, now: Int) {
        if let seconds = Self.age(argument) {
            (self.seconds, nanoseconds) = (now - seconds, 0)
        } else if let date = Self.date(argument) {
            (seconds, nanoseconds) = (date, 0)
        } else if let status = InputPath(argument).status(followingLinks: true) {
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        } else {
            return nil
        }
    }

    /// Whether a file was changed, moved or created after this moment.
    ///
    /// The time of the content alone is not enough, because copies and downloads keep the time of the original.
    func isBefore(_ status: stat) -> Bool {
        isBefore(status.st_mtim) || isBefore(status.st_ctim)
    }

    /// Whether a folder was moved, or got other permissions, after this moment, and no entry of it came or went.
    ///
    /// A move changes none of the files in the folder.
    func isBeforeMove(of folder: stat) -> Bool { isBefore(folder.st_ctim) && !isBefore(folder.st_mtim) }

    /// A moment counts as later than itself, because the clock of files has steps.
    private func isBefore(_ time: timespec) -> Bool {
        (time.tv_sec, time.tv_nsec) >= (seconds, nanoseconds)
    }

    private static func age(_ text: String) -> Int? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }),
            let number = Int(text.dropLast()), number < 1_000_000_000
        else { return nil }
        return number * unit
    }

    /// Returns a date, or a date with a time, of this machine's time zone in seconds since 1970.
    private static func date(_ text: String) -> Int? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.isLenient = false
        for format in ["yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd'T'HH:mm:ss"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return Int(date.timeIntervalSince1970) }
        }
        return nil
    }
}
