// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The input and the outputs of an ONNX model that was made from a Core ML file.
package struct ConvertedInterface: Sendable, Hashable, Codable {
    /// The name of the input tensor, of shape 1 × channels × height × width.
    package var inputName: String
    package var channelCount: Int
    package var width: Int
    package var height: Int
    /// The order of the channels, or nil for an input that is an array of numbers.
    package var channelOrder: ModelInput.ChannelOrder?
    package var outputs: [Output]

    package init(
        inputName: String, channelCount: Int, width: Int, height: Int, channelOrder: ModelInput.ChannelOrder?,
        outputs: [Output]
    ) {
        self.inputName = inputName
        self.channelCount = channelCount
        self.width = width
        self.height = height
        self.channelOrder = channelOrder
        self.outputs = outputs
    }

    /// Whether the input can be a picture: an image, or an array of three channels.
    package var isPicture: Bool { channelCount == 3 && height > 1 && width > 1 }

    /// An output tensor of shape 1 × count.
    package struct Output: Sendable, Hashable, Codable {
        package var name: String
        /// The name of the output in the Core ML file.
        package var feature: String
        /// The channels, height and width in the Core ML file, in which an array can be a map of heat or a list of boxes.
        package var lengths: [Int]
        /// Whether the numbers come from a linear operation, which gives numbers of any size and so no scores.
        package var isUnbounded: Bool

        package init(name: String, feature: String, lengths: [Int], isUnbounded: Bool = false) {
            self.name = name
            self.feature = feature
            self.lengths = lengths
            self.isUnbounded = isUnbounded
        }

        /// The number of scores, for possible lengths.
        package var count: Int { lengths.reduce(1, *) }

        /// Whether the lengths are three, and their product is within its bounds.
        ///
        /// The product of lengths from another process may be too large for an integer.
        package var isPossible: Bool {
            let most = 1 << 26
            return lengths.count == 3 && lengths.allSatisfy { (1...most).contains($0) }
                && lengths.reduce(1.0) { $0 * Double($1) } <= Double(most)
        }

        /// Whether all numbers are in the channels or in the width, so that each can be a score of the picture.
        package var isRow: Bool {
            lengths.dropFirst().allSatisfy { $0 == 1 } || lengths.dropLast().allSatisfy { $0 == 1 }
        }
    }
}
