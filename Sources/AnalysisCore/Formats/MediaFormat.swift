// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A media format, which is recognised by the content of a file and never by its name.
package enum MediaFormat: UInt8, Sendable, CaseIterable {
    case jpeg = 1
    case png = 2
    case webp = 3
    case heic = 4
    case avif = 5
    case jpegXL = 6
    case tiff = 7
    case bmp = 8
    case gif = 9
    case targa = 10
    /// PNM and PAM.
    case netpbm = 11
    case qoi = 12
    case pcx = 13
    /// Icons and cursors of Windows.
    case icon = 14
    case jpeg2000 = 15
    case svg = 16
    case sgi = 17
    case dds = 18
    case photoshop = 19
    /// Raw pictures of cameras that are no TIFF files.
    case camera = 20
    /// A container of video or audio.
    case video = 100

    /// The format's common name.
    package var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .webp: "WebP"
        case .heic: "HEIC"
        case .avif: "AVIF"
        case .jpegXL: "JPEG XL"
        case .tiff: "TIFF"
        case .bmp: "BMP"
        case .gif: "GIF"
        case .targa: "TGA"
        case .netpbm: "PNM"
        case .qoi: "QOI"
        case .pcx: "PCX"
        case .icon: "ICO"
        case .jpeg2000: "JPEG 2000"
        case .svg: "SVG"
        case .sgi: "SGI"
        case .dds: "DDS"
        case .photoshop: "Photoshop"
        case .camera: "camera"
        case .video: "video"
        }
    }
}
