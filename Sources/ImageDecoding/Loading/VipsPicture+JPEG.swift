// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CJPEGShims
internal import CPixelLoops
internal import CVips
internal import CVipsShims
internal import FileAccess
internal import ViewerAgreement

extension VipsPicture {
    /// Decodes the rows of a JPEG picture whose header libvips has read.
    ///
    /// The rows come directly from libjpeg-turbo. The 4 KiB pieces of libvips keep it on a slower path
    /// (docs/performance.md).
    ///
    /// - Parameters:
    ///   - start: the start of the picture in the file, in bytes.
    ///   - isSmooth: whether shared colours are interpolated; otherwise each pixel has the shared colour.
    ///   - takeShared: receives the next row instead of `take` if up to two by two pixels share a colour.
    ///   - take: receives the next row.
    /// - Returns: whether parts of the picture are damaged, and the samples that pixels share.
    /// - Throws: `malformed` if the picture cannot be decoded or ends early, `unsupportedVariant`, `outOfMemory`.
    func forEachJPEGRow(
        of file: InputFile, from start: Int, isSmooth: Bool, takeShared: ((CPixelLoops_SharedRow) -> Void)? = nil,
        _ take: (UnsafePointer<UInt8>) -> Void
    ) throws(DecodingFailure) -> (isDamaged: Bool, sharing: CJPEGShims_Sharing) {
        guard format == VIPS_FORMAT_UCHAR, [1, 3, 4].contains(bandCount) else {
            throw DecodingFailure(.unsupportedVariant, format: .jpeg, detail: "\(bandCount) bands")
        }
        let shape = CJPEGShims_Shape(width: Int32(width), height: Int32(height), bands: Int32(bandCount))
        var status: Int32 = -1
        var sharing = CJPEGShims_not_shared
        let message = unsafe withoutActuallyEscaping(take) { take in
            var taker = unsafe JPEGRowTaker(take: take, takeShared: takeShared)
            let functions = unsafe CJPEGShims_TakeRows(
                row: { context, row in
                    unsafe context!.assumingMemoryBound(to: JPEGRowTaker.self).pointee.take(row!)
                },
                shared_row: takeShared == nil
                    ? nil
                    : { context, row in
                        unsafe context!.assumingMemoryBound(to: JPEGRowTaker.self).pointee.takeShared!(row)
                    })
            return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CJPEGSHIMS_MESSAGE_SIZE)) {
                let message = $0.baseAddress!
                status = unsafe withUnsafeMutablePointer(to: &taker) { taker in
                    unsafe CJPEGShims_decode(
                        file.descriptor.number, Int64(file.start + start), shape, isSmooth ? 1 : 0, functions, taker,
                        &sharing,
                        message)
                }
                return unsafe String(cString: message)
            }
        }
        guard status >= 0 else { throw Self.failure(.malformed, saying: message) }
        return (status > 0, sharing)
    }

    /// Decodes the whole picture into memory and keeps the values of its header.
    func decodedAsJPEG(
        _ file: InputFile, from start: Int, isSmooth: Bool
    ) throws(DecodingFailure) -> (picture: VipsPicture, isDamaged: Bool, sharing: CJPEGShims_Sharing) {
        let decoded = try unsafe Self.result { unsafe CVipsShims_blank_copy(image, $0, Int32(width), Int32(height)) }
        let rowSize = width * bandCount
        var target = unsafe decoded.image.pointee.data!
        let result = try unsafe forEachJPEGRow(of: file, from: start, isSmooth: isSmooth) { row in
            unsafe target.update(from: row, count: rowSize)
            unsafe target += rowSize
        }
        return (decoded, result.isDamaged, result.sharing)
    }
}

/// The closures that receive rows, in a form that C can pass on.
@unsafe private struct JPEGRowTaker {
    let take: (UnsafePointer<UInt8>) -> Void
    let takeShared: ((CPixelLoops_SharedRow) -> Void)?
}
