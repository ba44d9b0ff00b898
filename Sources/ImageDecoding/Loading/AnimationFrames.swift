// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The pictures of an animation that libvips does not read, decoded in their order.
protocol AnimationFrames: AnyObject {
    /// Returns the next picture at full size; nil behind the last one.
    func next() throws(DecodingFailure) -> VipsPicture?
    /// Whether translucent pixels were drawn over others, so colours may be converted before or after that.
    var hasMixedColours: Bool { get }
}
