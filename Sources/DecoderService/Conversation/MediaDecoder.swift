// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import FileAccess
package import HelperProtocol
package import ViewerAgreement

/// The decoding functions of a decoder process; the image decoder and the video decoder each have a library for them.
package protocol MediaDecoder {
    /// The size of the largest freed block of memory that is kept for reuse, in bytes.
    static var largestReusedBlock: Int { get }

    /// The decoding library and its version.
    var library: String { get }

    /// Opens a file, and decodes its picture if it has only one.
    ///
    /// - Parameter format: the format of the file by its first bytes.
    func open(
        _ file: InputFile, _ format: MediaFormat, _ request: OpenRequest
    ) throws(DecodingFailure) -> FileAnswer<OpenedContent>

    /// Decodes the picture of a file that the app itself displays, at full size or reduced.
    ///
    /// Whatever other programs show of the file does not matter.
    ///
    /// - Parameter output: makes the memory for the picture once its size is known.
    func writeWholePicture(
        of file: InputFile, _ format: MediaFormat, _ request: WholePictureRequest, to output: WholePictureOutput
    ) throws(DecodingFailure) -> FileAnswer<WholePictureAnswer>

    /// Opens a file for all frames that the app itself displays, at full size or reduced.
    ///
    /// Whatever other programs show of the file does not matter. A file of one picture has one frame.
    func openWholeFrames(
        of file: InputFile, _ format: MediaFormat, _ request: WholePictureRequest
    ) throws(DecodingFailure) -> FileAnswer<OpenedWholeFrames>

    /// Prepares a copy of a film that has the encoded frames of its first track in a container of its own.
    ///
    /// - Throws: `unsupportedVariant` with the reason in words, for a film that has to be encoded; `libraryLimit` for one that
    ///   the container cannot hold.
    func remux(
        _ file: InputFile, _ format: MediaFormat, _ request: RemuxRequest
    ) throws(DecodingFailure) -> FileAnswer<any RemuxedFilm>

    /// Opens a live stream, without waiting for its first bytes.
    ///
    /// - Parameters:
    ///   - pipe: the reading end of a pipe.
    ///   - readsOn: called while the stream is read, at least every 50 ms; false means that the stream is given up.
    func openStream(
        _ pipe: OwnedDescriptor, _ request: StreamRequest, readsOn: @escaping () -> Bool
    ) throws(DecodingFailure) -> any StreamDecodingSession
}

extension MediaDecoder {
    package func remux(
        _ file: InputFile, _ format: MediaFormat, _ request: RemuxRequest
    ) throws(DecodingFailure) -> FileAnswer<any RemuxedFilm> {
        throw DecodingFailure(.unsupportedContainer)
    }

    package func openStream(
        _ pipe: OwnedDescriptor, _ request: StreamRequest, readsOn: @escaping () -> Bool
    ) throws(DecodingFailure) -> any StreamDecodingSession {
        throw DecodingFailure(.unsupportedContainer)
    }
}
