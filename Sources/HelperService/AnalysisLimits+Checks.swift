// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

extension AnalysisLimits {
    /// Refuses a picture by its header, before memory is allocated for its pixels.
    ///
    /// - Parameter isStreamed: whether the decoder needs memory for strips or a reduced picture only.
    /// - Throws: `malformed`, `edgeTooLong` or `tooManyPixels`.
    package func checkPicture(width: Int, height: Int, isStreamed: Bool) throws(DecodingFailure) {
        guard width > 0, height > 0 else { throw DecodingFailure(.malformed, detail: "a picture without pixels") }
        let edge = max(width, height)
        guard edge <= maximumEdge else {
            throw DecodingFailure(.edgeTooLong, value: UInt64(edge), bound: UInt64(maximumEdge))
        }
        let bound = isStreamed ? maximumStreamedPixelCount : maximumPixelCount
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, count <= bound else {
            throw DecodingFailure(
                .tooManyPixels, value: overflow ? .max : UInt64(count), bound: UInt64(bound))
        }
    }

    /// - Throws: `tooManyBytes` for a file that is larger than the bound.
    package func check(_ file: InputFile, isVideo: Bool = false) throws(DecodingFailure) {
        let bound = isVideo ? maximumVideoByteCount : maximumByteCount
        guard file.byteCount <= bound else {
            throw DecodingFailure(.tooManyBytes, value: UInt64(file.byteCount), bound: UInt64(bound))
        }
    }
}
