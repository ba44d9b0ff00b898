// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CJPEGShims
internal import CPixelLoops
internal import CVips
internal import CVipsShims
internal import FileAccess
internal import MediaInspection

extension VipsPicture {
    /// Decodes the rows of a JPEG picture, of which libvips has read the header.
    ///
    /// They come from libjpeg-turbo without libvips between, which hands it 4 KiB at a time and so keeps it on a slower
    /// path (docs/performance.md).
    ///
    /// - Parameters:
    ///   - start: where the picture begins in the file, in bytes.
    ///   - isSmooth: whether shared colours are interpolated, or each pixel has its own one.
    ///   - takeShared: takes the next row where up to two by two pixels share a colour, in place of `take`.
    ///   - take: takes the next row.
    /// - Returns: whether parts of the picture are damaged, and how many pixels share a colour.
    /// - Throws: `malformed` where it cannot be decoded or ends early, `outOfMemory`.
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
                        file.descriptor.number, Int64(start), shape, isSmooth ? 1 : 0, functions, taker, &sharing,
                        message)
                }
                return unsafe String(cString: message)
            }
        }
        guard status >= 0 else { throw Self.failure(.malformed, saying: message) }
        return (status > 0, sharing)
    }

    /// The whole picture in memory, with all that its header says.
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

/// The functions that take rows, as C hands them on.
@unsafe private struct JPEGRowTaker {
    let take: (UnsafePointer<UInt8>) -> Void
    let takeShared: ((CPixelLoops_SharedRow) -> Void)?
}
