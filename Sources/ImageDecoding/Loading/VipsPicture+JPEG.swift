// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CJPEGShims
internal import CVips
internal import CVipsShims
internal import HelperProtocol
internal import HelperService

extension VipsPicture {
    /// The pixels of a JPEG file, of which libvips has read the header: in memory, with all that the header says.
    ///
    /// They come from libjpeg-turbo without libvips between, which hands it 4 KiB at a time and so keeps it on a slower
    /// path (docs/performance.md).
    ///
    /// - Parameter denominator: what the decoder's own scaling divides both sides by: 1, 2, 4 or 8.
    /// - Returns: the picture, and whether parts of it are damaged.
    /// - Throws: `malformed` where it cannot be decoded or ends early, `outOfMemory`.
    func decodedAsJPEG(
        _ file: InputFile, denominator: Int
    ) throws(DecodingFailure) -> (picture: VipsPicture, isDamaged: Bool) {
        guard format == VIPS_FORMAT_UCHAR, [1, 3, 4].contains(bandCount) else {
            throw DecodingFailure(.unsupportedVariant, format: .jpeg, detail: "\(bandCount) bands")
        }
        let shape = CJPEGShims_Shape(width: Int32(width), height: Int32(height), bands: Int32(bandCount))
        let (columns, rows) = (width / denominator, height / denominator)
        let decoded = try unsafe Self.result {
            unsafe CVipsShims_blank_copy(image, $0, Int32(columns), Int32(rows))
        }
        var status: Int32 = -1
        let message = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CJPEGSHIMS_MESSAGE_SIZE)) {
            status = unsafe CJPEGShims_decode(
                file.descriptor.number, shape, Int32(denominator), decoded.image.pointee.data,
                columns * rows * bandCount, $0.baseAddress!)
            return unsafe String(cString: $0.baseAddress!)
        }
        guard status >= 0 else { throw Self.failure(.malformed, saying: message) }
        return (decoded, status > 0)
    }
}
