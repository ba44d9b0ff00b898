// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CPixelLoops
internal import CVips
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// Decodes a picture that the app displays, as a viewer that obeys profiles shows it, into the host's memory.
struct WholePictureWriter {
    let format: MediaFormat
    let request: WholePictureRequest
    let output: WholePictureOutput

    /// - Returns: whether parts of the picture are damaged.
    /// - Throws: the failures of limits and of decoding.
    func write(_ opened: PrimaryPicture.Opened) throws(DecodingFailure) -> Bool {
        // Damage that libraries reported for an earlier file is dropped.
        _ = VipsPicture.takeDamage()
        let isDamaged =
            if let jpeg = opened.jpeg {
                try writeJPEG(opened, jpeg.file, from: jpeg.start)
            } else {
                try write(opened.picture, opened.meaning, orientation: opened.orientation)
            }
        return isDamaged || opened.isDamaged || VipsPicture.takeDamage()
    }

    private func writeJPEG(
        _ opened: PrimaryPicture.Opened, _ file: InputFile, from start: Int
    ) throws(DecodingFailure) -> Bool {
        let header = opened.picture
        let limits = request.limits
        try limits.checkPicture(width: header.width, height: header.height, isStreamed: true)
        let isPlain = try opened.meaning.shown(header) === header || header.bandCount == 1 && header.profile == nil
        guard isPlain else {
            // libvips needs rows in memory to convert them.
            try limits.checkPicture(width: header.width, height: header.height, isStreamed: false)
            let (decoded, isDamaged, _) = try header.decodedAsJPEG(file, from: start, isSmooth: true)
            _ = try write(decoded, opened.meaning, orientation: opened.orientation)
            return isDamaged
        }
        let factor = max(header.width, header.height) / Int(request.maximumEdge)
        guard factor == 0 || max(header.width, header.height) <= Int(request.maximumEdge) else {
            let average = BlockAverage(
                width: header.width, height: header.height, bandCount: header.bandCount, factors: (factor, factor))
            let (isDamaged, _) = try unsafe header.forEachJPEGRow(of: file, from: start, isSmooth: true) {
                unsafe average.add($0)
            }
            let pixels = average.finish()
            let reduced = try VipsPicture.inMemory(
                pixels, width: average.width, height: pixels.count / (3 * average.width)
            ).interpreted(as: VIPS_INTERPRETATION_sRGB)
            try write(
                reduced, orientation: opened.orientation ?? 1, originalSize: (header.width, header.height))
            return isDamaged
        }
        let canvas = try canvas(
            width: header.width, height: header.height, channelCount: header.bandCount,
            orientation: opened.orientation ?? 1, originalSize: (header.width, header.height))
        let (isDamaged, _) = try unsafe header.forEachJPEGRow(of: file, from: start, isSmooth: true) {
            unsafe canvas.add($0)
        }
        try canvas.finish()
        return isDamaged
    }

    private func write(
        _ picture: VipsPicture, _ meaning: ColourMeaning, orientation: Int?
    ) throws(DecodingFailure) -> Bool {
        try write(
            try meaning.shown(picture), orientation: orientation ?? picture.orientation,
            originalSize: (picture.width, picture.height))
        return VipsPicture.takeDamage()
    }

    /// Reduces a picture of 8-bit levels if the app wants fewer pixels, and writes it.
    private func write(
        _ picture: VipsPicture, orientation: Int, originalSize: (width: Int, height: Int)
    ) throws(DecodingFailure) {
        let longest = max(picture.width, picture.height)
        let shown =
            longest <= Int(request.maximumEdge)
            ? picture : try picture.resized(by: Double(request.maximumEdge) / Double(longest))
        let canvas = try canvas(
            width: shown.width, height: shown.height, channelCount: shown.bandCount, orientation: orientation,
            originalSize: originalSize)
        try unsafe shown.forEachRow { unsafe canvas.add($0) }
        try canvas.finish()
    }

    /// - Parameters:
    ///   - width: the width of the picture as stored, in pixels.
    ///   - height: the height of the picture as stored, in pixels.
    ///   - originalSize: the size before a reduction, as stored.
    private func canvas(
        width: Int, height: Int, channelCount: Int, orientation: Int, originalSize: (width: Int, height: Int)
    ) throws(DecodingFailure) -> PictureCanvas {
        let isTurned = orientation >= 5
        let (originalWidth, originalHeight) = originalSize
        let memory = try output.memory(
            for: WholePictureReply(
                format: format, width: isTurned ? height : width, height: isTurned ? width : height,
                hasOpacity: channelCount == 4, originalWidth: isTurned ? originalHeight : originalWidth,
                originalHeight: isTurned ? originalWidth : originalHeight))
        return try PictureCanvas(
            memory, width: width, height: height, channelCount: channelCount, orientation: orientation)
    }
}
