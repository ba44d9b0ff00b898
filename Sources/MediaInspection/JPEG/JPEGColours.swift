// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The colours of the components of a JPEG picture, in the two ways in which programs read its markers.
///
/// Sources: the behaviour of libjpeg-turbo 2.1 (`jdapimin.c`) and FFmpeg 5.1 (`mjpegdec.c`). Other viewers use one of these.
struct JPEGColours {
    private var hasJFIF = false
    /// The transform that the last marker of Adobe names, for libjpeg and for FFmpeg, which takes it from any segment.
    private var transform: UInt8?
    private var anyTransform: UInt8?
    /// Whether there is a marker by which FFmpeg alone changes colours or rows.
    private var hasMarkerOfFFmpeg = false
    private var components: [Component] = []
    /// Whether markers about colours follow the frame header, which FFmpeg reads too late.
    private var hasLateMarker = false
    /// Whether a marker of Adobe is too short for some programs.
    private var hasShortMarker = false

    private struct Component: Equatable {
        let identifier: UInt8
        let sampling: UInt8
    }

    /// - Parameters:
    ///   - content: the first 14 bytes or more of a segment for applications.
    ///   - application: the number of the segment, 0 to 15.
    mutating func addSegment(_ content: [UInt8], application: UInt8) {
        if content.hasText("LJIF", at: 0) { hasMarkerOfFFmpeg = true }
        // The number says which field of an interlaced picture comes first; a whole picture has 0.
        if content.hasText("AVI1", at: 0), content.count > 4, content[4] != 0 { hasMarkerOfFFmpeg = true }
        let isJFIF = application == 0 && content.count >= 14 && content.hasText("JFIF", at: 0) && content[4] == 0
        let isAdobe = content.hasText("Adobe", at: 0)
        if isJFIF { hasJFIF = true }
        if isAdobe {
            if content.count < 12 { hasShortMarker = true }
            anyTransform = content.count < 12 ? nil : content[11]
            if application == 14 { transform = anyTransform }
        }
        if isJFIF || isAdobe, !components.isEmpty { hasLateMarker = true }
    }

    /// - Parameter content: the first bytes of a comment.
    mutating func addComment(_ content: [UInt8]) {
        // FFmpeg takes them for the range of levels, for fields of rows, and for a picture upside down.
        let names: [StaticString] = ["CS=ITU601", "AVID", "Metasoft MJPEG"]
        if names.contains(where: { content.hasText($0, at: 0) }) { hasMarkerOfFFmpeg = true }
    }

    /// - Parameter header: the first 18 bytes of a frame header, from its precision on.
    mutating func addFrame(_ header: [UInt8]) {
        guard header.count >= 6 else { return }
        let count = Int(header[5])
        components = (0..<count).compactMap { index in
            let place = 6 + 3 * index
            guard place + 1 < header.count else { return nil }
            return Component(identifier: header[place], sampling: header[place + 1])
        }
    }

    /// Checks that programs agree about the colours; called where the pixels begin.
    ///
    /// - Throws: `ambiguousRendering`.
    func check() throws(DecodingFailure) {
        // Of components with one name, programs take all or the first.
        guard Set(components.map(\.identifier)).count == components.count, hasUsualSampling else {
            throw DecodingFailure(
                .ambiguousRendering, format: .jpeg, detail: "its components share a name, or more than two pixels")
        }
        guard components.count == 3 || components.count == 4 || hasMarkerOfFFmpeg else { return }
        guard !hasLateMarker, !hasShortMarker, !hasMarkerOfFFmpeg, libjpegReading == ffmpegReading,
            !isNamedRGBWithoutMarker
        else {
            throw DecodingFailure(
                .ambiguousRendering, format: .jpeg,
                detail: "its markers and the names of its components say different things of its colours")
        }
    }

    /// Whether no sample is for more than two pixels in a direction: where it is for more, browsers interpolate and libjpeg
    /// does not.
    private var hasUsualSampling: Bool {
        for shift in [0, 4] {
            let factors = components.map { Int($0.sampling) >> shift & 15 }
            let most = factors.max() ?? 1
            guard factors.allSatisfy({ $0 == most || 2 * $0 == most }) else { return false }
        }
        return true
    }

    private enum Reading {
        case rgb, yCbCr, cmyk, ycck
        /// Luma, chroma and opacity.
        case yCbCrA
    }

    private var libjpegReading: Reading {
        if components.count == 4 { return transform == 2 ? .ycck : .cmyk }
        if hasJFIF { return .yCbCr }
        if let transform { return transform == 0 ? .rgb : .yCbCr }
        return isNamed("RGB") ? .rgb : .yCbCr
    }

    private var ffmpegReading: Reading {
        if components.count == 4 {
            if isNamed("CMYK") || anyTransform == 0 { return .cmyk }
            return anyTransform == 2 ? .ycck : .yCbCrA
        }
        let isSampledAlike = components.allSatisfy { $0.sampling == components[0].sampling }
        return isSampledAlike && (anyTransform == 0 || isNamed("RGB")) ? .rgb : .yCbCr
    }

    /// Whether the names of components alone make it RGB: some programs do not look at them.
    private var isNamedRGBWithoutMarker: Bool { transform == nil && isNamed("RGB") }

    private func isNamed(_ names: String) -> Bool {
        components.map(\.identifier) == Array(names.utf8)
    }
}
