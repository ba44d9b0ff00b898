// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The colours of a JPEG picture's components, in the two ways in which programs read its markers.
///
/// Sources: the code of libjpeg-turbo 2.1 (`jdapimin.c`) and FFmpeg 5.1 (`mjpegdec.c`). Other viewers use one of them.
struct JPEGColours {
    private var hasJFIF = false
    /// The transform of the last Adobe marker for libjpeg; `anyTransform` is for FFmpeg, which accepts any segment.
    private var transform: UInt8?
    private var anyTransform: UInt8?
    /// Whether there is a marker by which only FFmpeg changes colours or rows.
    private var hasMarkerOfFFmpeg = false
    private var components: [Component] = []
    /// Whether colour markers follow the frame header; FFmpeg reads such markers too late.
    private var hasLateMarker = false
    /// Whether an Adobe marker is too short for some programs.
    private var hasShortMarker = false

    private struct Component: Equatable {
        let identifier: UInt8
        let sampling: UInt8
    }

    /// - Parameters:
    ///   - content: the first 14 bytes or more of an application segment.
    ///   - application: the number of the segment, 0 to 15.
    mutating func addSegment(_ content: [UInt8], application: UInt8) {
        if content.hasText("LJIF", at: 0) { hasMarkerOfFFmpeg = true }
        // The byte gives the first field of an interlaced picture, and is 0 for a whole picture.
        if content.hasText("AVI1", at: 0), content.count > 4, content[4] != 0 { hasMarkerOfFFmpeg = true }
        let isJFIF = application == 0 && content.count >= 14 && content.hasText("JFIF", at: 0) && content[4] == 0
        // FFmpeg looks at segments of every number, and passes over Photoshop's colour management (Adobe_CM).
        let isAdobe = content.hasText("Adobe", at: 0) && !content.hasText("Adobe_CM", at: 0)
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
        // At these comments, FFmpeg changes the range of levels, reads rows as fields, or turns pictures upside down.
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

    /// Checks that programs agree about the colours; call this after the last segment before the pixels.
    ///
    /// - Throws: `ambiguousRendering`.
    func check() throws(DecodingFailure) {
        // If components share a name, programs use all of them or only the first.
        guard Set(components.map(\.identifier)).count == components.count, hasUsualSampling else {
            throw DecodingFailure(.sharedComponents, .jpeg)
        }
        guard components.count == 3 || components.count == 4 || hasMarkerOfFFmpeg else { return }
        guard !hasLateMarker, !hasShortMarker, !hasMarkerOfFFmpeg, libjpegReading == ffmpegReading,
            !isNamedRGBWithoutMarker
        else {
            throw DecodingFailure(.contradictoryColours, .jpeg)
        }
    }

    /// Whether no sample covers more than two pixels in a direction; if one does, only browsers interpolate it.
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

    /// Whether only the names of the components make it RGB; some programs ignore these names.
    private var isNamedRGBWithoutMarker: Bool { transform == nil && isNamed("RGB") }

    private func isNamed(_ names: String) -> Bool {
        components.map(\.identifier) == Array(names.utf8)
    }
}
