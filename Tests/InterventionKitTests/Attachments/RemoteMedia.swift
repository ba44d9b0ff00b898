// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import TestSupport
import Testing

/// An attachment that has to be downloaded, and the number of its downloads.
struct RemoteMedia {
    let attachment: MediaAttachment
    private let begun: Shared<Int>

    var downloadCount: Int { begun.value }

    /// - Parameter download: makes the local file; its argument is the number of the download, from 1.
    init(
        _ script: ScriptedAnalysis = ScriptedAnalysis(),
        download: @escaping @Sendable (_ number: Int) async throws -> URL
    ) throws {
        let begun = Shared(0)
        self.begun = begun
        attachment = MediaAttachment(
            kind: .image,
            source: .remote(try #require(URL(string: "https://example.org/a.png"))) { _ in
                try await download(begun.change { $0 += 1 })
            }, checker: AttachmentChecker(script.analysis))
    }
}
