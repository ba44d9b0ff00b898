// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The only picture of a file in a format that libvips does not read; the video decoder decodes it with FFmpeg.
package struct StillPicture {
    package let codec: Codec
    package let width: Int
    package let height: Int
    /// Files of the same codec with what other programs show: small copies, and levels that FFmpeg reads otherwise.
    package var otherFiles: [[UInt8]] = []

    /// A codec of whole files, named after its FFmpeg decoder; no other decoder is ever opened.
    package enum Codec: String {
        case targa
        case pbm, pgm, ppm, pam
        case qoi
        case pcx
        case sgi
        case dds
    }

    init(_ codec: Codec, width: Int, height: Int) {
        (self.codec, self.width, self.height) = (codec, width, height)
    }

    /// The formats whose files are decoded in this way.
    package static let formats: Set<MediaFormat> = [.targa, .netpbm, .qoi, .pcx, .sgi, .dds]

    /// Reads the structure of a file.
    ///
    /// - Parameter bytes: the whole file.
    /// - Throws: an error in the structure of the file, or a disagreement.
    package init(_ bytes: [UInt8], _ format: MediaFormat) throws(DecodingFailure) {
        switch format {
        case .targa: self = try TargaStructure.picture(bytes)
        case .netpbm: self = try NetpbmStructure.picture(bytes)
        case .qoi: self = try QOIStructure.picture(bytes)
        case .pcx: self = try PCXStructure.picture(bytes)
        case .sgi: self = try SGIStructure.picture(bytes)
        case .dds: self = try DDSStructure.picture(bytes)
        default: throw DecodingFailure(.internalError, detail: "a format that is decoded elsewhere")
        }
    }

    /// Checks that nothing follows the picture that a program could show.
    ///
    /// - Parameter rest: the bytes behind the picture.
    /// - Throws: `inseparablePictures`.
    static func checkEnd(_ rest: ArraySlice<UInt8>, _ format: MediaFormat) throws(DecodingFailure) {
        guard rest.allSatisfy({ $0 == 0 || isSpace($0) }) else { throw TrailingMedia.found(format) }
    }

    static func isSpace(_ byte: UInt8) -> Bool { (0x09...0x0D).contains(byte) || byte == 0x20 }
}
