// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import FileAccess
internal import Glibc

/// The file that the host has passed, or a part of it, read at explicit positions.
package struct InputFile {
    package let descriptor: OwnedDescriptor
    /// The start of this part in the descriptor's file, in bytes.
    package let start: Int
    package let byteCount: Int

    /// - Throws: `unreadable`.
    package init(_ descriptor: OwnedDescriptor) throws(DecodingFailure) {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0, let size = Int(exactly: status.st_size), size >= 0 else {
            throw DecodingFailure(.unreadable)
        }
        self.descriptor = descriptor
        start = 0
        byteCount = size
    }

    private init(_ descriptor: OwnedDescriptor, _ range: Range<Int>) {
        self.descriptor = descriptor
        start = range.lowerBound
        byteCount = range.count
    }

    /// Returns a part of the file that reads like a file of its own.
    ///
    /// - Parameter range: the bytes of the part; bytes outside this file are left out.
    package func part(_ range: Range<Int>) -> InputFile {
        let range = range.clamped(to: 0..<byteCount)
        return InputFile(descriptor, (start + range.lowerBound)..<(start + range.upperBound))
    }

    /// Returns the first bytes, which identify the format.
    package func prefix() throws(DecodingFailure) -> [UInt8] { try bytes(at: 0, count: FormatSniffer.prefixLength) }

    /// Returns the format by the first bytes, or the kind of content if the format is not read here.
    ///
    /// - Throws: `ambiguousRendering` if another program that displays the file may read it as another format.
    package func format(displayedBy display: Display = .otherViewer) throws(DecodingFailure) -> FileAnswer<MediaFormat>
    {
        guard byteCount > 0 else { return .content(.empty) }
        let prefix = try prefix()
        if display == .ours, let format = FormatSniffer.formatBySignature(of: prefix) { return .value(format) }
        if let format = try FormatSniffer.format(of: prefix) {
            if format != .video, format != .camera, RawSigns.areIn(prefix, byteCount: byteCount) {
                throw FormatSniffer.ambiguous(format)
            }
            if StreamsInside.isWeak(format), byteCount > prefix.count,
                StreamsInside.hasDisagreementAboutWeakFormat(try probedBytes(format))
            {
                throw FormatSniffer.ambiguous(format)
            }
            return .value(format)
        }
        if OtherMediaFormats.contain(prefix) { return .content(.otherMedia) }
        if try OtherMediaFormats.mayHoldCover(self, prefix) { return .content(.otherMedia) }
        return .content(DocumentFormats.contain(prefix) ? .document : .unknownFormat)
    }

    /// Returns the first bytes that FFmpeg examines in a file with a weak signature.
    private func probedBytes(_ format: MediaFormat) throws(DecodingFailure) -> [UInt8] {
        if format == .jpeg {
            let first = try bytes(at: 0, count: StreamsInside.fewestProbedBytes)
            if JPEGRecognition.isPlain(Array(first.prefix(JPEGRecognition.mostBytes))) { return first }
        }
        return try bytes(at: 0, count: StreamsInside.mostProbedBytes)
    }

    /// Returns the bytes at a position: fewer than requested at the end of the file, none beyond it.
    package func bytes(at offset: Int, count: Int) throws(DecodingFailure) -> [UInt8] {
        guard offset >= 0, offset < byteCount, count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: min(count, byteCount - offset))
        var filled = 0
        while filled < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor.number, buffer.baseAddress! + filled, buffer.count - filled,
                    start + offset + filled)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw DecodingFailure(.unreadable) }
            if got == 0 { break }
            filled += got
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }
}
