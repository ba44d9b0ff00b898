// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import ViewerAgreement

/// The pictures of an animated PNG as browsers or Pillow draw them, each with opacity and levels of 8 bits.
///
/// FFmpeg draws some parts otherwise and ignores profiles. So its pictures alone do not show what browsers show.
///
/// Source: PNG specification, third edition, section 11.3.6.2.
final class PNGAnimation: AnimationFrames {
    private let file: InputFile
    private let frames: PNGFrames
    private var position = 0
    private var canvas: [UInt8]
    /// The picture to which the canvas returns before the next frame.
    private var restored: [UInt8]?

    private let isOfPillow: Bool
    private let display: Display
    private(set) var hasMixedColours = false
    /// The number of almost transparent pixels of a frame, and of frames with many of them.
    private var (faintCount, faintFrameCount) = (0, 0)

    /// - Parameter isOfPillow: whether frames that are taken back stay, and opacity is mixed as if it were a colour.
    init(_ file: InputFile, _ frames: PNGFrames, isOfPillow: Bool, displayedBy display: Display) {
        self.display = display
        (self.file, self.frames, self.isOfPillow) = (file, frames, isOfPillow)
        canvas = [UInt8](repeating: 0, count: frames.width * frames.height * 4)
    }

    func next() throws(DecodingFailure) -> VipsPicture? {
        guard position < frames.frames.count else { return nil }
        let frame = frames.frames[position]
        if position == 0, isOfPillow, let other = frames.otherPicture { canvas = try pixels(of: other) }
        if let restored { canvas = restored }
        switch frame.disposal {
        case .none: restored = nil
        // Pillow takes back only frames that replace what they cover.
        case .bringsBack: restored = isOfPillow && frame.isDrawnOver ? nil : canvas
        case .clears:
            var cleared = canvas
            for row in frame.y..<(frame.y + frame.height) {
                let start = (row * frames.width + frame.x) * 4
                cleared.replaceSubrange(
                    start..<(start + frame.width * 4), with: repeatElement(0, count: frame.width * 4))
            }
            restored = cleared
        }
        // There is no picture before the first one to which it could return.
        if position == 0, frame.disposal == .bringsBack, !isOfPillow || frames.otherPicture == nil {
            restored = [UInt8](repeating: 0, count: canvas.count)
        }
        faintCount = 0
        draw(try pixels(of: frame), frame)
        // Chromium rounds colours that are multiplied by opacity in every step.
        if faintCount > frame.width * frame.height / 16 { faintFrameCount += 1 }
        guard display == .ours || faintFrameCount <= Self.mostFaintFrames else {
            throw DecodingFailure(.framesWithOpacity, .png)
        }
        position += 1
        return try VipsPicture.inMemory(canvas, width: frames.width, height: frames.height, bandCount: 4)
            .interpreted(as: VIPS_INTERPRETATION_sRGB)
    }

    /// Returns the levels of a frame with opacity, four bytes a pixel.
    private func pixels(of frame: PNGFrames.Frame) throws(DecodingFailure) -> [UInt8] {
        let document = try frames.document(of: frame, in: file)
        let part = FilePart(start: file.byteCount, insertion: (0, document))
        let picture = try VipsPicture.open(file, part, with: .png)
        guard picture.width == frame.width, picture.height == frame.height else {
            throw DecodingFailure(.malformed, format: .png, detail: "a frame of another size")
        }
        var colours = try picture.interpretationConvertedToSRGB()
        if colours.bandCount == 3 { colours = try colours.withOpaqueBand() }
        guard colours.bandCount == 4 else {
            throw DecodingFailure(.unsupportedVariant, format: .png, detail: "\(colours.bandCount) bands")
        }
        return try colours.pixels()
    }

    private func draw(_ pixels: [UInt8], _ frame: PNGFrames.Frame) {
        for row in 0..<frame.height {
            let (source, target) = (row * frame.width * 4, ((row + frame.y) * frames.width + frame.x) * 4)
            guard frame.isDrawnOver else {
                canvas.replaceSubrange(
                    target..<(target + frame.width * 4), with: pixels[source..<(source + frame.width * 4)])
                continue
            }
            for offset in stride(from: 0, to: frame.width * 4, by: 4) {
                blend(pixels, source + offset, over: target + offset)
            }
        }
    }

    /// Draws a pixel over a pixel of the canvas; source: PNG specification, third edition, section 13.16.
    private func blend(_ pixels: [UInt8], _ source: Int, over target: Int) {
        let opacity = Int(pixels[source + 3])
        guard opacity > 0 else { return }
        if opacity < 255, canvas[target + 3] > 0 { hasMixedColours = true }
        if opacity < 16 { faintCount += 1 }
        guard !isOfPillow else {
            for band in 0..<4 {
                let sum = Int(pixels[source + band]) * opacity + Int(canvas[target + band]) * (255 - opacity)
                canvas[target + band] = UInt8((sum + 127) / 255)
            }
            return
        }
        let above = opacity * 255
        let below = (255 - opacity) * Int(canvas[target + 3])
        for band in 0..<3 {
            let sum = Int(pixels[source + band]) * above + Int(canvas[target + band]) * below
            canvas[target + band] = UInt8(sum / (above + below))
        }
        canvas[target + 3] = UInt8((above + below) / 255)
    }

    private static let mostFaintFrames = 8
}
