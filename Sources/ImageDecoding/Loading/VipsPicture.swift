// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CVips
internal import CVipsShims
internal import Glibc
internal import HelperProtocol
internal import HelperService

/// One reference to a libvips image: a description of pixels that are computed when they are asked for.
@safe
final class VipsPicture {
    let image: UnsafeMutablePointer<VipsImage>

    /// Takes over the reference that an operation has returned.
    private init(owning image: UnsafeMutablePointer<VipsImage>) {
        unsafe self.image = image
    }

    deinit {
        unsafe g_object_unref(image)
    }

    typealias Output = UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>

    /// Runs an operation, which returns 0 and a new reference on success.
    static func result(of operation: (Output) -> Int32) throws(DecodingFailure) -> VipsPicture {
        var result: UnsafeMutablePointer<VipsImage>?
        guard unsafe operation(&result) == 0, let image = unsafe result else { throw VipsPicture.failure() }
        return unsafe VipsPicture(owning: image)
    }
    // MARK: Loaders

    /// Opens a picture; its pixels are not decoded yet.
    ///
    /// - Parameter part: the part of the file to read; all of it unless given.
    /// - Throws: what the loader finds wrong with the header, or `unsupportedVariant` where its plug-in is missing.
    static func open(
        _ file: InputFile, _ part: FilePart? = nil, with loader: Loader
    ) throws(DecodingFailure) -> VipsPicture {
        try loadPlugin(for: loader)
        // What earlier files have left in the buffer is neither true of this one nor for its owner.
        vips_error_clear()
        guard let source = unsafe source(of: file, part) else { throw failure(.unreadable) }
        // The picture holds a reference of its own.
        defer { unsafe g_object_unref(source) }
        switch loader {
        case .jpeg: return try unsafe result { unsafe CVipsShims_jpegload(source, $0) }
        case .png: return try unsafe result { unsafe CVipsShims_pngload(source, $0) }
        case .webp: return try unsafe result { unsafe CVipsShims_webpload(source, $0) }
        case .tiff: return try unsafe result { unsafe CVipsShims_tiffload(source, $0) }
        case .heif(let page): return try unsafe result { unsafe CVipsShims_heifload(source, $0, Int32(page ?? -1)) }
        case .gifPages(let pages):
            return try unsafe result {
                unsafe CVipsShims_gifload_pages(source, $0, Int32(pages.lowerBound), Int32(pages.count))
            }
        case .webpPages(let pages):
            return try unsafe result {
                unsafe CVipsShims_webpload_pages(source, $0, Int32(pages.lowerBound), Int32(pages.count))
            }
        case .jpegXL: return try unsafe result { unsafe CVipsShims_jxlload(source, $0) }
        }
    }

    private static func source(of file: InputFile, _ part: FilePart?) -> UnsafeMutablePointer<VipsSource>? {
        if part == nil, file.start == 0 {
            guard lseek(file.descriptor.number, 0, SEEK_SET) == 0 else { return nil }
            return unsafe vips_source_new_from_descriptor(file.descriptor.number)
        }
        let part = part ?? FilePart()
        let patches = part.replacements.sorted { $0.position < $1.position }.map { position, bytes in
            var patch = CVipsShims_Patch()
            patch.position = Int64(position)
            patch.count = Int32(min(bytes.count, MemoryLayout.size(ofValue: patch.bytes)))
            let kept = bytes.prefix(Int(patch.count))
            unsafe withUnsafeMutableBytes(of: &patch.bytes) { unsafe $0.copyBytes(from: kept) }
            return patch
        }
        let (place, inserted) = part.insertion ?? (0, [])
        return unsafe CVipsShims_window(
            file.descriptor.number, Int64(file.start + part.start), Int64(file.byteCount - part.start), patches,
            Int32(patches.count), inserted, Int64(place), Int64(inserted.count))
    }

    /// A loader of libvips.
    enum Loader {
        /// For the header; `CJPEGShims_decode` has the pixels.
        case jpeg
        case png
        case webp
        /// The first directory of the file.
        case tiff
        /// A picture by its number, or the primary one.
        case heif(page: Int?)
        /// Several pictures of an animation, one below the other.
        case gifPages(Range<Int>)
        case webpPages(Range<Int>)
        case jpegXL
    }

    /// Loads the plug-in of a loader that is not built into every libvips, and the library that it uses.
    ///
    /// - Throws: `unsupportedVariant` where it is missing.
    static func loadPlugin(for loader: Loader) throws(DecodingFailure) {
        let status: Int32
        switch loader {
        case .heif: status = unsafe CVipsShims_load_plugin("heif", "VipsForeignLoadHeif")
        case .jpegXL: status = unsafe CVipsShims_load_plugin("jxl", "VipsForeignLoadJxl")
        case .jpeg, .png, .webp, .tiff, .gifPages, .webpPages: return
        }
        guard status == 0 else { throw failure(.unsupportedVariant) }
    }

    // MARK: Operations

    /// Rows of the picture, which must be asked for in their order.
    func rows(from top: Int, count: Int) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_crop(image, $0, Int32(top), Int32(count)) }
    }

    /// Turns and mirrors the picture as an EXIF orientation says; its pixels must be in memory.
    func upright(_ orientation: Int) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_upright(image, $0, Int32(orientation)) }
    }

    func bands(from first: Int, count: Int) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_extract_bands(image, $0, Int32(first), Int32(count)) }
    }

    /// A picture whose bands are those of this one followed by those of the other.
    func joined(with other: VipsPicture) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_join_bands(image, other.image, $0) }
    }

    func scaled(by factor: Double, plus summand: Double = 0) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_linear(image, $0, factor, summand) }
    }

    /// The picture with its values rounded to a format of numbers; a mere cast would cut them off.
    func rounded(to format: VipsBandFormat) throws(DecodingFailure) -> VipsPicture {
        let isWhole = format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT
        let shifted = isWhole ? try scaled(by: 1, plus: 0.5) : self
        return try unsafe Self.result { unsafe CVipsShims_cast(shifted.image, $0, format) }
    }

    func interpreted(as interpretation: VipsInterpretation) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_copy_interpretation(image, $0, interpretation) }
    }

    /// 8-bit sRGB by the embedded profile, or by a profile of libvips where there is none.
    func profileConvertedToSRGB(fallback: String?, _ intent: VipsIntent) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_icc_to_srgb(image, $0, fallback, intent) }
    }

    /// The same pixels with another embedded profile, or with none.
    func withProfile(_ profile: [UInt8]?) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_with_profile(image, $0, profile, profile?.count ?? 0) }
    }

    func multiplied(by other: VipsPicture) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_multiply(image, other.image, $0) }
    }

    /// 8-bit sRGB by what the bands are said to mean.
    func interpretationConvertedToSRGB() throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_colourspace(image, $0, VIPS_INTERPRETATION_sRGB) }
    }

    // MARK: Pixels

    /// A picture in memory of RGB pixels, row after row without padding.
    static func inMemory(_ pixels: [UInt8], width: Int, height: Int) throws(DecodingFailure) -> VipsPicture {
        let image = unsafe pixels.withUnsafeBytes { bytes in
            unsafe vips_image_new_from_memory_copy(
                bytes.baseAddress, bytes.count, Int32(width), Int32(height), 3, VIPS_FORMAT_UCHAR)
        }
        guard let image = unsafe image else { throw failure(.outOfMemory) }
        return unsafe VipsPicture(owning: image)
    }

    /// Hands over the rows of an 8-bit picture, each once and in their order.
    func forEachRow(_ take: (UnsafePointer<UInt8>) -> Void) throws(DecodingFailure) {
        guard format == VIPS_FORMAT_UCHAR else {
            throw DecodingFailure(.internalError, detail: "libvips gave pixels of an unexpected format")
        }
        let status = unsafe withoutActuallyEscaping(take) { take in
            var taker = unsafe RowTaker(take: take)
            return unsafe withUnsafeMutablePointer(to: &taker) { taker in
                unsafe CVipsShims_each_row(
                    image,
                    { context, row in
                        unsafe context!.assumingMemoryBound(to: RowTaker.self).pointee.take(row!)
                    }, taker)
            }
        }
        guard status == 0 else { throw Self.failure() }
    }

    /// Computes all pixels once and keeps them in memory, after which they can be read in any order.
    func inMemory() throws(DecodingFailure) -> VipsPicture {
        guard let copy = unsafe vips_image_copy_memory(image) else { throw VipsPicture.failure() }
        return unsafe VipsPicture(owning: copy)
    }

    /// Computes all pixels of an 8-bit picture, row after row without padding.
    func pixels() throws(DecodingFailure) -> [UInt8] {
        let expected = try byteCount()
        guard format == VIPS_FORMAT_UCHAR else {
            throw DecodingFailure(.internalError, detail: "libvips gave pixels of an unexpected format")
        }
        // The picture's own memory, in which libvips computes the pixels unless they are there already.
        guard let memory = unsafe vips_image_get_data(image) else { throw VipsPicture.failure() }
        return unsafe Array(UnsafeRawBufferPointer(start: memory, count: expected))
    }

    private func byteCount() throws(DecodingFailure) -> Int {
        let (row, rowOverflow) = width.multipliedReportingOverflow(by: bandCount)
        let (all, overflow) = row.multipliedReportingOverflow(by: height)
        guard !rowOverflow, !overflow, all > 0 else {
            throw DecodingFailure(.internalError, detail: "libvips gave a picture without pixels")
        }
        return all
    }

    // MARK: Header

    var width: Int { unsafe Int(vips_image_get_width(image)) }
    var height: Int { unsafe Int(vips_image_get_height(image)) }
    var bandCount: Int { unsafe Int(vips_image_get_bands(image)) }
    var format: VipsBandFormat { unsafe vips_image_get_format(image) }
    var interpretation: VipsInterpretation { unsafe vips_image_get_interpretation(image) }
    var hasAlpha: Bool { unsafe vips_image_hasalpha(image) != 0 }
    /// Whether the four bytes of a pixel are three numbers of a Lab colour, as libvips reads Lab from TIFF files.
    var isPackedLab: Bool { unsafe vips_image_get_coding(image) == VIPS_CODING_LABQ }
    /// The number of pictures that the loader has counted.
    ///
    /// The accessor of libvips says 1 from 10,000 on.
    var pageCount: Int {
        var count: Int32 = 0
        guard unsafe vips_image_get_typeof(image, VIPS_META_N_PAGES) != 0,
            unsafe vips_image_get_int(image, VIPS_META_N_PAGES, &count) == 0
        else { return 1 }
        return Int(count)
    }
    /// The height of each of several pictures that are one below the other.
    var pageHeight: Int { unsafe Int(vips_image_get_page_height(image)) }
    /// For how long each picture of an animation is shown, in milliseconds.
    var delays: [Int] {
        var values: UnsafeMutablePointer<Int32>?
        var count: Int32 = 0
        guard unsafe vips_image_get_typeof(image, "delay") != 0,
            unsafe vips_image_get_array_int(image, "delay", &values, &count) == 0, let values = unsafe values
        else { return [] }
        return (0..<Int(count)).map { unsafe Int(values[$0]) }
    }
    /// How often an animation is shown; 0 is without end.
    var loopCount: Int {
        var count: Int32 = 0
        guard unsafe vips_image_get_typeof(image, "loop") != 0, unsafe vips_image_get_int(image, "loop", &count) == 0
        else { return 0 }
        return Int(count)
    }
    /// The EXIF orientation, 1 to 8.
    var orientation: Int { unsafe Int(vips_image_get_orientation(image)) }
    /// The embedded colour profile.
    var profile: [UInt8]? {
        var data: UnsafeRawPointer?
        var size = 0
        guard unsafe vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0,
            unsafe vips_image_get_blob(image, VIPS_META_ICC_NAME, &data, &size) == 0, let data = unsafe data
        else { return nil }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: size))
    }

    /// Whether, since it was last asked, a library has told of damage in what it has decoded all the same.
    static func takeDamage() -> Bool { CVipsShims_take_damage() != 0 }

    /// What libvips has to say, in one line; its buffer is emptied.
    static func failure(_ reason: DecodingFailure.Reason = .malformed) -> DecodingFailure {
        let text = unsafe String(cString: vips_error_buffer())
        vips_error_clear()
        return failure(reason, saying: text.split(separator: "\n").joined(separator: "; "))
    }

    /// What a library has to say, in one line.
    static func failure(_ reason: DecodingFailure.Reason, saying line: String) -> DecodingFailure {
        // libheif's own words, for a codec or a box that it cannot read and for its bounds on sizes; and libjpeg's, for
        // lossless and 12-bit files.
        let refusals = ["Unsupported feature", "Unsupported codec", "Unsupported JPEG"]
        if refusals.contains(where: line.contains) {
            return DecodingFailure(.unsupportedVariant, detail: line)
        }
        let shortages = ["nsufficient memory", "out of memory", "Out of memory", "annot allocate memory"]
        if shortages.contains(where: line.contains) { return DecodingFailure(.outOfMemory, detail: line) }
        if line.contains("Security limit exceeded") || line.contains("Maximum supported image dimension") {
            return DecodingFailure(.libraryLimit, detail: line)
        }
        return DecodingFailure(reason, detail: line)
    }
}

/// A part of a file, of which some bytes are read as others, and into which others may be inserted.
struct FilePart {
    /// Where it begins, in bytes; it goes on to the end of the file.
    var start = 0
    /// Positions in the part, and the up to eight bytes that are read there instead of those of the file.
    var replacements: [(position: Int, bytes: [UInt8])] = []
    /// Bytes that are read between those of the file, and their position in the part; GIF files alone have them.
    var insertion: (position: Int, bytes: [UInt8])?
}

extension InputFile {
    /// All bytes of a part without an insertion, as they are to be read.
    func bytes(of part: FilePart) throws(DecodingFailure) -> [UInt8] {
        var bytes = try bytes(at: part.start, count: byteCount - part.start)
        for (position, replacement) in part.replacements where position + replacement.count <= bytes.count {
            bytes.replaceSubrange(position..<(position + replacement.count), with: replacement)
        }
        return bytes
    }
}

/// The closure that takes each row, in a form that C can hand through.
@unsafe struct RowTaker {
    let take: (UnsafePointer<UInt8>) -> Void
}
