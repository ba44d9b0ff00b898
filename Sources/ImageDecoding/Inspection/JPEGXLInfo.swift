// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CJxl
internal import DecoderProtocol

/// The header of a JPEG XL file, read by libjxl itself, since libvips does not say that a file is animated.
struct JPEGXLInfo {
    let isAnimated: Bool
    let width: Int
    let height: Int

    /// - Throws: `malformed` where libjxl finds no header.
    init(_ file: InputFile) throws(DecodingFailure) {
        guard let decoder = unsafe JxlDecoderCreate(nil) else { throw DecodingFailure(.internalError) }
        defer { unsafe JxlDecoderDestroy(decoder) }
        // The header usually lies in the first kilobytes; a file may put boxes of metadata before it.
        var length = 64 << 10
        while true {
            let bytes = try file.bytes(at: 0, count: length)
            unsafe JxlDecoderReset(decoder)
            guard unsafe JxlDecoderSubscribeEvents(decoder, Int32(JXL_DEC_BASIC_INFO.rawValue)) == JXL_DEC_SUCCESS
            else { throw DecodingFailure(.internalError) }
            let status = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe JxlDecoderSetInput(decoder, buffer.baseAddress, buffer.count)
                let status = unsafe JxlDecoderProcessInput(decoder)
                unsafe JxlDecoderReleaseInput(decoder)
                return status
            }
            if status == JXL_DEC_BASIC_INFO { break }
            guard status == JXL_DEC_NEED_MORE_INPUT, bytes.count == length, length < 64 << 20 else {
                throw DecodingFailure(.malformed, format: .jpegXL, detail: "no header")
            }
            length *= 4
        }
        var info = JxlBasicInfo()
        guard unsafe JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else {
            throw DecodingFailure(.malformed, format: .jpegXL, detail: "no header")
        }
        isAnimated = info.have_animation != 0
        width = Int(info.xsize)
        height = Int(info.ysize)
    }
}
