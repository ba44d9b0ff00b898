// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderService
internal import ViewerAgreement

/// The animation of a file that the app itself displays, as browsers draw it.
struct PrimaryAnimation {
    let file: InputFile
    let format: MediaFormat
    let limits: AnalysisLimits

    /// - Returns: nil for a file whose picture does not move, or that the video decoder decodes.
    func open() throws(DecodingFailure) -> AnimationPictures? {
        let animation: AnimationPictures?
        switch format {
        case .gif: animation = try AnimationPictures(file, format, limits, displayedBy: .ours)
        case .webp:
            let isAnimated = try VipsPicture.open(file, with: .webp).pageCount > 1
            animation = isAnimated ? try AnimationPictures(file, format, limits, displayedBy: .ours) : nil
        case .png:
            // A file whose frames cannot be understood is shown as the picture that programs without animations show.
            guard let chunks = try? PNGChunks(file), chunks.isAnimated else { return nil }
            let meaning = (try? PNGColour(chunks)).map { ColourMeaning($0) } ?? ColourMeaning()
            animation = try? AnimationPictures(png: file, limits, meaning, displayedBy: .ours)
        case .jpegXL:
            let info = try JPEGXLInfo(file, displayedBy: .ours)
            try limits.checkPicture(width: info.width, height: info.height, isStreamed: false)
            animation = info.isAnimated ? try AnimationPictures(jpegXL: file, info, limits) : nil
        default: animation = nil
        }
        guard let animation, animation.count > 1 else { return nil }
        try animation.start(0)
        return animation
    }
}
