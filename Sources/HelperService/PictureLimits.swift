// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// Refuses a picture by its header, before memory is allocated for its pixels.
package struct PictureLimits {
    package let request: ImageRequest

    package init(request: ImageRequest) {
        self.request = request
    }

    /// - Parameter isStreamed: whether the decoder needs memory for strips or a reduced picture only.
    /// - Throws: `malformed`, `edgeTooLong` or `tooManyPixels`.
    package func check(width: Int, height: Int, isStreamed: Bool) throws(DecodingFailure) {
        guard width > 0, height > 0 else { throw DecodingFailure(.malformed, detail: "a picture without pixels") }
        let edge = max(width, height)
        guard edge <= Int(request.maximumEdge) else {
            throw DecodingFailure(.edgeTooLong, value: UInt64(edge), bound: UInt64(request.maximumEdge))
        }
        let bound = isStreamed ? request.maximumStreamedPixelCount : request.maximumPixelCount
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, UInt64(count) <= bound else {
            throw DecodingFailure(.tooManyPixels, value: overflow ? .max : UInt64(count), bound: bound)
        }
    }
}
