// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Operations that OpenVINO 2026.4.1 computes wrongly; IntegrationTests/core-ml/check_mutants.py found them.
enum OpenVINOFaults {
    /// Returns the words for a convolution that is computed wrongly; nil for one that is computed rightly.
    ///
    /// - Parameters:
    ///   - spans: the numbers of places that a kernel reaches over, for each dimension behind the channels.
    ///   - kernelChannels: the number of channels that a kernel reads.
    ///   - lengths: the lengths of the result behind its channels.
    static func ofConvolution(
        spans: [Int], strides: [Int], isPadded: Bool, kernelChannels: Int, lengths: [Int]
    ) -> String? {
        // OpenVINO moves the strides of a kernel of one pixel to the layer before, and counts the padding twice.
        if spans.allSatisfy({ $0 == 1 }), isPadded, strides.contains(where: { $0 > 1 }) {
            return "has a kernel of one pixel with strides and padding, which is not supported"
        }
        // Some results of one column are wrong where a kernel reads one channel.
        if kernelChannels == 1, lengths.last == 1, strides.last != 1, lengths.dropLast().contains(where: { $0 > 1 }) {
            return "makes one column of a single channel with strides, which is not supported"
        }
        return nil
    }
}
