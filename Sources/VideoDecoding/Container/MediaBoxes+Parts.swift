// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

extension MediaBoxes {
    /// The boxes in another.
    struct Parts {
        fileprivate let boxes: [Box]

        /// The box of a name that is there once.
        func only(_ name: String) -> Box { boxes.first { $0.name == name }! }
        func besides(_ names: String...) -> [Box] { boxes.filter { !names.contains($0.name) } }
    }

    /// The boxes in another; nil if one of those that are named is not there once, or if something is not whole.
    mutating func parts(of box: Box, each names: [String]) throws(DecodingFailure) -> Parts? {
        let boxes = try boxes(in: box.content)
        guard let last = boxes.last, last.isWhole, !isExhausted,
            box.content.upperBound - last.content.upperBound < Self.shortestBox
        else { return nil }
        for name in names {
            guard boxes.filter({ $0.name == name }).count == 1 else { return nil }
        }
        return Parts(boxes: boxes)
    }

    private static let shortestBox = 8
}
