// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A file with the raw picture of a camera's sensor, and the previews that the camera made of it.
///
/// Raw pictures are not developed here, because each program does it in its own way. Only the previews are judged, so a
/// verdict of such a file is sensitive or unknown. Most of these files are TIFF files. Sources: DNG specification,
/// chapters 2 and 4; TIFF/EP (ISO 12234-2); the list of signatures of the `file` command.
package struct CameraFile {
    /// The starts of the JPEG previews in the file, in bytes.
    package private(set) var jpegs: [Int] = []
    /// The directories of a TIFF file with previews that are not JPEG files.
    package private(set) var directories: [TIFFDirectory] = []
    /// The EXIF orientation of the picture, which applies to previews without one.
    package private(set) var orientation = 1

    /// Returns whether the file begins like a camera file that is no TIFF file.
    static func fits(_ prefix: [UInt8]) -> Bool {
        signatures.contains { prefix.hasText($1, at: $0) }
    }

    /// Reads the file; nil for a TIFF file without a raw picture.
    ///
    /// - Throws: `unreadable`, `tooManyParts` if the file has more starts of pictures than a camera writes.
    package init?(_ file: InputFile, _ format: MediaFormat) throws(DecodingFailure) {
        if format == .tiff {
            guard let previews = try readDirectories(of: file) else { return nil }
            let numbers = TIFFNumbers(header: try file.bytes(at: 0, count: Self.markedBytes))
            directories = previews.compactMap { try? TIFFDirectory(file, numbers, at: $0) }
        }
        jpegs = try CameraPreviews(file).starts
    }

    /// Notes the orientation.
    ///
    /// - Returns: the positions of the directories with previews; nil if no directory has a raw picture.
    private mutating func readDirectories(of file: InputFile) throws(DecodingFailure) -> [Int]? {
        let header = try file.bytes(at: 0, count: Self.markedBytes)
        let numbers = TIFFNumbers(header: header)
        // Canon and Phase One put these marks behind the header of TIFF.
        var hasRawPicture =
            header.starts(with: [0x49, 0x49, 0x2A, 0, 0x10, 0, 0, 0, 0x43, 0x52, 2, 0]) || RawSigns.hasMark(header)
        var (namesMaker, hasPrivateEntries, isScattered) = (false, false, false)
        var waiting = [numbers.number(header, at: numbers.startPosition, size: numbers.offsetSize)]
        var known: Set<Int> = []
        var previews: [Int] = []
        while let start = waiting.popLast() {
            guard known.insert(start).inserted, known.count <= Self.mostDirectories else { continue }
            let entries = try Entries(file, numbers, at: start)
            if known.count == 1, let value = entries.values[Self.orientationTag] { orientation = value }
            namesMaker = namesMaker || entries.nameMaker
            hasPrivateEntries = hasPrivateEntries || entries.arePrivate
            isScattered = isScattered || entries.haveScatteredPixels
            if entries.haveRawPicture {
                hasRawPicture = true
            } else {
                previews.append(start)
            }
            waiting += entries.below.reversed()
            if entries.next != 0 { waiting.append(entries.next) }
        }
        if !(1...8).contains(orientation) { orientation = 1 }
        // By private entries of makers, LibRaw finds a raw picture in an ordinary TIFF file. It reads all pixels from the
        // place of the first ones on.
        return hasRawPicture || namesMaker && (hasPrivateEntries || isScattered) ? previews : nil
    }

    /// The entries of a directory, read without any check.
    private struct Entries {
        /// The first numbers of the entries, by their tags.
        private(set) var values: [Int: Int] = [:]
        /// The positions of the directories below this one.
        private(set) var below: [Int] = []
        private(set) var next = 0
        /// Whether an entry names the maker of a camera.
        private(set) var nameMaker = false
        /// Whether the strips do not follow each other, or there are tiles.
        private(set) var haveScatteredPixels = false
        /// Whether an entry is none of TIFF, EXIF and the common editors.
        private(set) var arePrivate = false

        init(_ file: InputFile, _ numbers: TIFFNumbers, at start: Int) throws(DecodingFailure) {
            let counter = try file.bytes(at: start, count: numbers.countSize)
            let count = min(numbers.number(counter, at: 0, size: numbers.countSize), CameraFile.mostEntries)
            let size = numbers.isBig ? 20 : 12
            let bytes = try file.bytes(at: start + numbers.countSize, count: count * size + numbers.offsetSize)
            var strips: [Int: [Int]] = [:]
            var hasTiles = false
            for place in stride(from: 0, to: count * size, by: size) {
                let tag = numbers.number(bytes, at: place, size: 2)
                if CameraFile.makerTags.contains(tag) { nameMaker = true }
                if tag == CameraFile.tilesTag { hasTiles = true }
                if tag == CameraFile.stripsTag || tag == CameraFile.lengthsTag {
                    strips[tag] = try? numbers.values(of: bytes, at: place, in: file, most: CameraFile.mostStrips)
                }
                if !CameraFile.publicTags.contains(tag) { arePrivate = true }
                if tag == CameraFile.versionTag { values[tag] = 1 }
                if tag == CameraFile.subdirectoriesTag {
                    below +=
                        (try? numbers.values(of: bytes, at: place, in: file, most: CameraFile.mostDirectories)) ?? []
                } else if CameraFile.readTags.contains(tag) {
                    values[tag] = (try? numbers.values(of: bytes, at: place, in: file, most: 1))?.first
                }
            }
            next = numbers.number(bytes, at: count * size, size: numbers.offsetSize)
            // LibRaw reads pixels of other compressions as TIFF says, or not at all.
            guard values[CameraFile.compressionTag].map(CameraFile.plainCompressions.contains) ?? true else { return }
            let (starts, lengths) = (strips[CameraFile.stripsTag] ?? [], strips[CameraFile.lengthsTag] ?? [])
            let ends = zip(starts, lengths).map { $0 &+ $1 }
            let isRun = starts.count < 2 || starts.count == lengths.count && ends.dropLast() == starts.dropFirst()
            haveScatteredPixels = hasTiles || !isRun
        }

        var haveRawPicture: Bool {
            values[CameraFile.versionTag] != nil
                || values[CameraFile.photometricTag].map(CameraFile.rawPhotometrics.contains) == true
                || values[CameraFile.compressionTag].map(CameraFile.rawCompressions.contains) == true
        }
    }

    private static let signatures: [(Int, StaticString)] = [
        (0, "FUJIFILMCCD-RAW"), (6, "HEAPCCDR"), (0, "IIRO"), (0, "IIRS"), (0, "MMOR"), (0, "IIU\0"), (0, "FOVb"),
        (0, "\0MRM"),
    ]
    /// The number of first bytes in which marks of makers may lie.
    private static let markedBytes = 40
    /// The name of the maker, and the private entries from which LibRaw knows Leaf, Hasselblad, Imacon and Sinar.
    private static let makerTags: Set = [271, 34_303, 46_274, 46_275, 46_279, 50_454, 50_458, 50_459]
    private static let (stripsTag, lengthsTag, tilesTag, versionTag) = (273, 279, 324, 50_706)
    /// No compression, and those that LibRaw takes for none.
    private static let plainCompressions: Set = [0, 1, 32_769, 32_770, 32_773]
    private static let mostStrips = 1 << 20
    /// The entries of TIFF without those of JPEG, of XMP, IPTC, Photoshop, EXIF and profiles, of Windows, and the number of
    /// a camera.
    private static let publicTags: Set<Int> = Set(254...347).union(529...532).union([
        700, 18_246, 18_249, 32_932, 33_432, 33_723, 34_377, 34_665, 34_675, 34_853, 37_724,
        40_091, 40_092, 40_093, 40_094, 40_095, 50_341, 50_735, 59_932,
    ])
    private static let mostDirectories = 100
    private static let mostEntries = 4096
    private static let (compressionTag, photometricTag, orientationTag, subdirectoriesTag) = (259, 262, 274, 330)
    private static let readTags: Set<Int> = [compressionTag, photometricTag, orientationTag]
    /// Samples behind a filter of colours, and samples of a sensor in linear levels.
    private static let rawPhotometrics: Set<Int> = [32_803, 34_892]
    /// The raw compressions of Sony, Nikon and Pentax.
    private static let rawCompressions: Set<Int> = [32_767, 34_713, 65_535]
}
