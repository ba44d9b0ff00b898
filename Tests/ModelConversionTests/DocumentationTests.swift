// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

struct DocumentationTests {
    @Test("docs/models.md lists the kinds of layers that are read, and no others") func layers() throws {
        let root = TestFiles.packageFolder
        let format = try String(
            contentsOf: root.appendingPathComponent("Sources/ModelFormats/CoreML.proto"), encoding: .utf8)
        let start = try #require(format.range(of: "oneof layer {"))
        let end = try #require(format[start.upperBound...].range(of: "}"))
        let read = format[start.upperBound..<end.lowerBound].matches(of: /(\w+) = \d+;/).map { String($0.1) }
        let page = try String(contentsOf: root.appendingPathComponent("docs/models.md"), encoding: .utf8)
        let table = try #require(page.range(of: "| layer | supported |"))
        let rows = page[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
        let listed = rows.prefix { $0.hasPrefix("|") }.compactMap { $0.firstMatch(of: /`(\w+)`/).map { String($0.1) } }
        #expect(read.count > 20 && listed.sorted() == read.sorted())
    }
}
