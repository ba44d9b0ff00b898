// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol

extension NodeCaptureEnding {
    /// The failure for the caller, with the remedy; nil for a regular end.
    var failure: AnalysisFailure? {
        switch self {
        case .ended: nil
        case .invalidRequest, .noSuchNode:
            AnalysisFailure(
                .inputUnreadable,
                "PipeWire has no source of that name, or it went away. List the sources with: pw-cli ls Node")
        case .cannotConnect:
            AnalysisFailure(
                .inputUnreadable, "PipeWire does not answer. Start it, or log in to a desktop session that runs it.")
        case .noReadableFormat:
            AnalysisFailure(
                .unsupportedMedia,
                "The source gives no format that is read here: I420, NV12, YUY2, UYVY, BGRx, RGBx, BGRA or RGBA in memory."
            )
        case .connectionLost:
            AnalysisFailure(.inputUnreadable, "The connection to PipeWire was lost. Start the capture again.")
        case .noFrame:
            AnalysisFailure(
                .inputUnreadable,
                "The source gave no frame in time. Check that it shows a picture, and that a session manager runs.")
        case .noMemory:
            AnalysisFailure(.inputUnreadable, "There is not enough memory for the frames. Choose a smaller size.")
        case .refusedSize:
            AnalysisFailure(
                .limitExceeded, "The frames are larger than the limits. Choose a smaller size of the source.")
        case .mirrored, .interlaced:
            AnalysisFailure(
                .unsupportedMedia,
                "The source gives \(self == .mirrored ? "mirrored frames" : "frames of two fields"), which are not read here."
                    + " Choose another format of the source.")
        case .unreadableFrames:
            AnalysisFailure(
                .malformedMedia,
                "A frame of the source could not be read, and other programs may show it. Take the source for damaged.")
        case .streamFailed:
            AnalysisFailure(.inputUnreadable, "PipeWire reported an error of the source. Start the source again.")
        case .otherNode:
            AnalysisFailure(
                .inputUnreadable,
                "The session manager connected another source than the wanted one. Close the program that uses it.")
        case .ambiguousName:
            AnalysisFailure(
                .inputUnreadable,
                "Several sources of PipeWire have that name, and another player may take another one. Name the source by"
                    + " its object.serial: pw-cli ls Node")
        case .ambiguousFrames:
            AnalysisFailure(
                .ambiguousMedia,
                "Other programs show more of the source: its frames have opacity, or parts that it hides. Watch and show it"
                    + " with --output -.")
        case .noVideo:
            AnalysisFailure(.inputUnreadable, "That node of PipeWire is no source of video. Name a camera or a screen.")
        }
    }
}
