// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The text of a pane.
public struct InterventionText: Sendable, Hashable {
    /// The heading, or the whole text of a short notice.
    public let title: String
    /// The paragraphs, in order; the last paragraph of a child's first pane is the question that the buttons answer.
    public let paragraphs: [String]

    init(_ title: String, _ paragraphs: [String] = []) {
        self.title = title
        self.paragraphs = paragraphs
    }
}
