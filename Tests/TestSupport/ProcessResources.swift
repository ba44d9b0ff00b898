// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// The descriptors, the threads, the children and the resident memory of this process.
package struct ProcessResources: Sendable {
    package let descriptors: Int
    package let threads: Int
    package let children: Int
    /// The resident memory, in bytes.
    package let bytes: Int

    /// The resources in use before some work, with which `leftOver(since:growth:)` compares those after it.
    ///
    /// The first sleep of a process opens a descriptor for its timer, which stays, so the process sleeps before.
    package static func beforeWork() async throws -> ProcessResources {
        try await Task.sleep(for: .milliseconds(1))
        return try current
    }

    package static var current: ProcessResources {
        get throws {
            let files = FileManager.default
            let pages = text("/proc/self/statm").split(separator: " ")
            let tasks = try files.contentsOfDirectory(atPath: "/proc/self/task")
            let children = tasks.reduce(0) { count, task in
                count + text("/proc/self/task/\(task)/children").split(separator: " ").count
            }
            return ProcessResources(
                descriptors: try files.contentsOfDirectory(atPath: "/proc/self/fd").count, threads: tasks.count,
                children: children, bytes: (Int(pages[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))))
        }
    }

    /// Returns the content of a file, or an empty text if there is none.
    ///
    /// `String(contentsOfFile:)` of Swift 6.3 leaks 4 KiB for each empty file, such as the children of most tasks.
    private static func text(_ path: String) -> String {
        let data = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 1 << 16)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// Waits up to five seconds until no more is in use than before.
    ///
    /// - Parameter growth: the bytes by which the memory may grow.
    /// - Returns: nil, or what is left over.
    package static func leftOver(since before: ProcessResources, growth: Int) async throws -> String? {
        for _ in 0..<500 {
            let now = try current
            let isBack =
                now.descriptors <= before.descriptors && now.threads <= before.threads
                && now.children <= before.children && now.bytes - before.bytes < growth
            if isBack { return nil }
            try await Task.sleep(for: .milliseconds(10))
        }
        return "\(before) grew to \(try current)"
    }
}
