// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension AnalysisFailure {
    /// Describes the failure of a decoder: the cause, the bound and the remedy.
    package init(_ failure: DecodingFailure) {
        let format = failure.format.map { "The \($0.name) file" } ?? "The file"
        let detail = failure.detail.isEmpty ? "" : " (\(failure.detail))"
        let (value, bound) = (failure.value, failure.bound)
        let raise = "Raise the limit if the file can be trusted."
        switch failure.reason {
        case .unsupportedContainer:
            self.init(
                .unsupportedMedia,
                "\(format) is in no container that is read here: use MP4, QuickTime, Matroska, WebM, AVI, WMV, MPEG, FLV or"
                    + " Ogg.")
        case .inseparablePictures:
            self.init(
                .unsupportedMedia,
                "\(format) holds, or can hold, more than one picture\(detail), and is not judged by one of them. Save"
                    + " its pictures one by one.")
        case .noPictures:
            self.init(
                .unsupportedMedia,
                "The file has no pictures that can be read, only sound or data, so there is nothing to judge.")
        case .unsupportedVariant:
            self.init(
                .unsupportedMedia,
                "\(format) is of a kind that cannot be decoded here\(detail). Save it in another format.")
        case .malformed:
            self.init(
                .malformedMedia,
                "\(format) is damaged or incomplete\(detail). Get it again, or open and save it with a program that"
                    + " repairs it.")
        case .tooManyBytes:
            self.init(.limitExceeded, "\(format) has \(value) bytes, and the limit is \(bound). \(raise)")
        case .edgeTooLong:
            self.init(
                .limitExceeded, "An edge of the picture has \(value) pixels, and the limit is \(bound). \(raise)")
        case .tooManyPixels:
            self.init(.limitExceeded, "The picture has \(value) pixels, and the limit is \(bound). \(raise)")
        case .tooManyPictures:
            self.init(
                .limitExceeded,
                "\(format) holds \(value) pictures or more, and the limit is \(bound). Save its pictures in several files."
            )
        case .ambiguousRendering:
            self.init(
                .ambiguousMedia,
                "\(format) looks different in different programs, and one look cannot be made here\(detail)."
                    + " Keep it covered, or get it in another format.")
        case .libraryLimit:
            self.init(
                .limitExceeded,
                "\(format) exceeds what its decoding library allows\(detail). Save it in a smaller size, or in parts.")
        case .tooManyParts:
            self.init(
                .limitExceeded,
                "\(format) has more parts\(detail) than the limit of \(bound). Save it anew, with fewer of them.")
        case .outOfMemory:
            self.init(
                .limitExceeded,
                "\(format) needs more memory than a decoder may use\(detail). Raise the limit of the decoder's memory if"
                    + " the file can be trusted.")
        case .unreadable:
            self.init(.inputUnreadable, "The file could not be read to its end\(detail). Check the disk it is on.")
        case .internalError:
            self.init(.decoderFailed, "The decoder could not go on\(detail). Run `sca doctor`.")
        }
    }
    /// Creates the failure for a file whose content did not suit the request to the decoder.
    package init(_ content: MediaContent) {
        switch content {
        case .empty:
            self.init(.unsupportedMedia, "The file is empty. Check that it was saved or received completely.")
        case .unknownFormat:
            self.init(
                .unsupportedMedia,
                "The content is in no format that can be read: use JPEG, PNG, GIF, WebP, HEIC, AVIF, JPEG XL, TIFF or BMP for"
                    + " pictures, and MP4, WebM or Matroska for videos.")
        case .otherMedia:
            self.init(
                .unsupportedMedia,
                "The file seems to be a picture or a video of a format that cannot be read: use PNG or JPEG for pictures, and MP4"
                    + " for videos.")
        case .sound:
            self.init(.unsupportedMedia, "The file has sound and no pictures, so there is nothing to judge.")
        case .document:
            self.init(
                .unsupportedMedia,
                "The file is a document or an archive, in which nobody has looked for pictures: take them out, and analyse"
                    + " them.")
        case .pictures, .video:
            self.init(
                .decoderFailed,
                "The decoders disagree about the kind of the file. It may have changed meanwhile: analyse it again.")
        }
    }
}

extension FileAnswer {
    /// Returns the value.
    ///
    /// - Throws: a failure that names the kind of content, if there is no value.
    package func get() throws(AnalysisFailure) -> Value {
        switch self {
        case .value(let value): return value
        case .content(let content): throw AnalysisFailure(content)
        }
    }
}
