// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CJxlShims
internal import ViewerAgreement

/// The header of a JPEG XL file, read with libjxl because libvips does not report that a file is animated.
struct JPEGXLInfo {
    let isAnimated: Bool
    let isPremultiplied: Bool
    /// Whether the file was made of a JPEG, which some programs restore and show.
    let isMadeOfJPEG: Bool
    let width: Int
    let height: Int

    /// - Parameter display: whether another program displays the file, which may show other boxes and channels.
    /// - Throws: `malformed` if libjxl finds no header, `unsupportedVariant` without libjxl, `ambiguousRendering`.
    init(_ file: InputFile, displayedBy display: Display = .otherViewer) throws(DecodingFailure) {
        isMadeOfJPEG = display == .otherViewer ? try JPEGXLBoxes.check(file) : false
        try VipsPicture.loadPlugin(for: .jpegXL)
        // The header usually lies in the first kilobytes; a file may put boxes of metadata before it.
        var length = 64 << 10
        var header = CJxlShims_Header()
        while true {
            let bytes = try file.bytes(at: 0, count: length)
            switch unsafe Int(CJxlShims_read_header(bytes, bytes.count, &header)) {
            case CJxlShims_found:
                isAnimated = header.is_animated != 0
                isPremultiplied = header.is_premultiplied != 0
                // Some programs apply channels of black and of spot colours, but libvips drops them.
                guard display == .ours || header.extra_channel_count <= (header.has_alpha != 0 ? 1 : 0) else {
                    throw DecodingFailure(.extraChannels(Int(header.extra_channel_count)), .jpegXL)
                }
                width = Int(header.width)
                height = Int(header.height)
                return
            case CJxlShims_more where bytes.count == length && length < 64 << 20: length *= 4
            case CJxlShims_failed:
                throw DecodingFailure(.internalError, format: .jpegXL, detail: "libjxl cannot be used")
            default: throw DecodingFailure(.malformed, format: .jpegXL, detail: "no header")
            }
        }
    }
}
