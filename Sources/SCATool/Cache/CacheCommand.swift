// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import VerdictCache

package struct CacheCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show or remove what 'sca analyze --cache' and 'sca evaluate' have kept.",
        discussion: """
            Verdicts are kept by the content of files and without their names, in a file that only this account can \
            read. Somebody who has the same file and can read the cache could learn that it was judged here, and how.
            """,
        subcommands: [Show.self, Clear.self])

    package init() {}

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show where the cache is, and how many verdicts it has.")

        func run() throws {
            let root = try CacheCommand.root()
            guard VerdictStore.exists(root: root) else {
                StandardOutput.write(line: "There is no cache. 'sca analyze --cache' makes one.")
                return
            }
            do throws(VerdictStore.Failure) {
                let count = try VerdictStore(root: root).count
                StandardOutput.write(
                    line: "\(count) \(count == 1 ? "verdict" : "verdicts"), in \(VerdictStore.path(root: root))")
            } catch {
                throw CommandFailure(error.description)
            }
        }
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove the cache with all verdicts.")

        func run() throws {
            do throws(VerdictStore.Failure) {
                let hasRemoved = try VerdictStore.clear(root: try CacheCommand.root())
                StandardOutput.write(line: hasRemoved ? "The cache was removed." : "There is no cache.")
            } catch {
                throw CommandFailure(error.description)
            }
        }
    }

    private static func root() throws(VerdictStore.Failure) -> String {
        guard let root = InstallationPaths.ofThisProcess().cache else { throw .homeless }
        return root
    }
}
