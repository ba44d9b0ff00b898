// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The values in the descriptions of tracks that all programs understand alike.
///
/// Source: RFC 9559, sections 5.1.4 and 21.2, and the WebM Container Guidelines.
enum MatroskaTracks {
    /// Whether each track has a number, kind and codec that agree, and its frames are stored in a way that programs share.
    ///
    /// - Parameter documentType: the name of the format, such as `webm`.
    /// - Throws: `unreadable`, `tooManyParts`.
    static func areUnderstoodAlike(
        _ tracks: MatroskaElements.Element, documentType: String?, _ reader: inout MatroskaElements
    ) throws(DecodingFailure) -> Bool {
        guard let end = tracks.end else { return false }
        var numbers: Set<Int> = []
        for track in try reader.elements(in: tracks.start..<end) where track.identifier == MatroskaIdentifier.track {
            guard let end = track.end else { return false }
            var (number, kind, codec): (Int?, Int?, String?)
            var (encodings, parameters): (MatroskaElements.Element?, MatroskaElements.Element?)
            for part in try reader.elements(in: track.start..<end) {
                switch part.identifier {
                case MatroskaIdentifier.trackNumber: number = try reader.number(in: part)
                case MatroskaIdentifier.trackType: kind = try reader.number(in: part)
                case MatroskaIdentifier.codec: codec = try reader.text(in: part)
                case MatroskaIdentifier.parameters: parameters = part
                case MatroskaIdentifier.encodings: encodings = part
                default: break
                }
            }
            guard let number, numbers.insert(number).inserted, let kind, let codec,
                codec.hasPrefix("V_") == (kind == pictures)
            else { return false }
            if let encodings {
                guard documentType != webM, try areShared(encodings, of: codec, &reader) else { return false }
            }
            if codec == quickTime {
                guard try isPlainDescription(parameters, &reader) else { return false }
            }
        }
        return true
    }

    /// Whether frames are stored in one of the encodings that programs share: compressed once, without a key.
    private static func areShared(
        _ encodings: MatroskaElements.Element, of codec: String, _ reader: inout MatroskaElements
    ) throws(DecodingFailure) -> Bool {
        let parts = try reader.elements(in: encodings)
        guard parts.count == 1, let encoding = parts.first, let end = encoding.end else { return false }
        for part in try reader.elements(in: encoding.start..<end) {
            switch part.identifier {
            case MatroskaIdentifier.encodingScope:
                guard try reader.number(in: part) == allFrames else { return false }
            case MatroskaIdentifier.encodingOrder: break
            case MatroskaIdentifier.encodingType:
                guard try reader.number(in: part) == 0 else { return false }
            case MatroskaIdentifier.compression:
                for setting in try reader.elements(in: part) {
                    let value = try reader.number(in: setting)
                    // Firefox does not put the bytes back, and then takes other bytes for the lengths of units.
                    guard setting.identifier != MatroskaIdentifier.compressionSettings || isOfStartCodes(codec) else {
                        return false
                    }
                    guard setting.identifier != MatroskaIdentifier.compressionAlgorithm || algorithms.contains(value)
                    else { return false }
                    // Without them, only the start of each frame is missing.
                    guard setting.identifier != MatroskaIdentifier.compressionSettings || value != nil else {
                        return false
                    }
                }
            default: return false
            }
        }
        return true
    }

    /// Whether a decoder finds the parts of a frame, or nothing, where the first bytes of the frame are missing.
    private static func isOfStartCodes(_ codec: String) -> Bool {
        !codec.hasPrefix("V_") || codec.hasPrefix("V_MPEG1") || codec.hasPrefix("V_MPEG2")
            || codec.hasPrefix("V_MPEG4/ISO/") && codec != "V_MPEG4/ISO/AVC" || codec == "V_MS/VFW/FOURCC"
    }

    /// Whether a description as in QuickTime begins with its length, so that its codec has one place.
    private static func isPlainDescription(
        _ parameters: MatroskaElements.Element?, _ reader: inout MatroskaElements
    ) throws(DecodingFailure) -> Bool {
        guard let parameters, let end = parameters.end else { return false }
        return try reader.beginning(of: parameters).map { $0 == end - parameters.start } ?? false
    }

    private static let webM = "webm"
    private static let quickTime = "V_QUICKTIME"
    private static let pictures = 1
    private static let allFrames = 1
    /// zlib, and the removal of bytes with which each frame begins.
    private static let algorithms: Set<Int?> = [0, 3]
}
