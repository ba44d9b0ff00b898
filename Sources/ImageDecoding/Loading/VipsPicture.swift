// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import CVipsShims
internal import FileAccess
internal import Glibc
internal import ViewerAgreement

/// A reference to a libvips image, whose pixels are computed on demand.
@safe
final class VipsPicture {
    let image: UnsafeMutablePointer<VipsImage>

    /// Takes over the reference of an operation's result.
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

    /// Opens a picture without decoding its pixels.
    ///
    /// - Parameter part: the part of the file to read, with its byte changes; nil for the whole file, unchanged.
    /// - Throws: the error that the loader finds in the header, or `unsupportedVariant` if its plug-in is missing.
    static func open(
        _ file: InputFile, _ part: FilePart? = nil, with loader: Loader
    ) throws(DecodingFailure) -> VipsPicture {
        try loadPlugin(for: loader)
        // The buffer may hold errors of earlier files. They must not appear in an error of this file.
        vips_error_clear()
        guard let source = unsafe source(of: file, part) else { throw failure(.unreadable) }
        // The picture holds a reference of its own.
        defer { unsafe g_object_unref(source) }
        switch loader {
        case .jpeg: return try unsafe result { unsafe CVipsShims_jpegload(source, $0) }
        case .png: return try unsafe result { unsafe CVipsShims_pngload(source, $0) }
        case .cutPNG: return try unsafe result { unsafe CVipsShims_pngload_cut(source, $0) }
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
        case .svg(let scale): return try unsafe result { unsafe CVipsShims_svgload(source, $0, scale) }
        case .jpeg2000: return try unsafe result { unsafe CVipsShims_jp2kload(source, $0) }
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
        /// Reads only the header of a JPEG picture; `CJPEGShims_decode` decodes the pixels.
        case jpeg
        case png
        /// A PNG picture whose end is missing; the missing rows are empty.
        case cutPNG
        case webp
        /// The first image file directory of the file as read; `TIFFDirectory.part` makes any directory the first.
        case tiff
        /// A picture by its number; nil for the primary one.
        case heif(page: Int?)
        /// Several pictures of an animation, placed in one column.
        case gifPages(Range<Int>)
        case webpPages(Range<Int>)
        case jpegXL
        case jpeg2000
        /// A drawing, whose size is multiplied by a factor.
        case svg(scale: Double)
    }

    /// Loads the plug-in of a loader that is not built into every libvips, and the library that it uses.
    ///
    /// - Throws: `unsupportedVariant` if it is missing.
    static func loadPlugin(for loader: Loader) throws(DecodingFailure) {
        let status: Int32
        switch loader {
        case .heif: status = unsafe CVipsShims_load_plugin("heif", "VipsForeignLoadHeif")
        case .jpegXL: status = unsafe CVipsShims_load_plugin("jxl", "VipsForeignLoadJxl")
        case .jpeg, .png, .cutPNG, .webp, .tiff, .gifPages, .webpPages, .jpeg2000, .svg: return
        }
        guard status == 0 else { throw failure(.unsupportedVariant) }
    }

    // MARK: Pixels

    /// Returns a picture in memory, made of 8-bit samples in rows without padding.
    static func inMemory(
        _ pixels: [UInt8], width: Int, height: Int, bandCount: Int = 3
    ) throws(DecodingFailure) -> VipsPicture {
        try unsafe pixels.withUnsafeBufferPointer { pixels throws(DecodingFailure) in
            try unsafe inMemory(pixels, width: width, height: height, bandCount: bandCount)
        }
    }

    /// Returns a picture with a copy of 8-bit samples, in rows without padding.
    @unsafe static func inMemory(
        _ samples: UnsafeBufferPointer<UInt8>, width: Int, height: Int, bandCount: Int
    ) throws(DecodingFailure) -> VipsPicture {
        let image = unsafe vips_image_new_from_memory_copy(
            samples.baseAddress, samples.count, Int32(width), Int32(height), Int32(bandCount), VIPS_FORMAT_UCHAR)
        guard let image = unsafe image else { throw failure(.outOfMemory) }
        return unsafe VipsPicture(owning: image)
    }

    /// Passes each row of an 8-bit picture to the closure, once and in order.
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

    /// Computes all pixels once and keeps them in memory, so they can be read in any order.
    func inMemory() throws(DecodingFailure) -> VipsPicture {
        guard let copy = unsafe vips_image_copy_memory(image) else { throw VipsPicture.failure() }
        return unsafe VipsPicture(owning: copy)
    }

    /// Returns all pixels of an 8-bit picture, in rows without padding.
    func pixels() throws(DecodingFailure) -> [UInt8] {
        let expected = try byteCount()
        guard format == VIPS_FORMAT_UCHAR else {
            throw DecodingFailure(.internalError, detail: "libvips gave pixels of an unexpected format")
        }
        // This is the picture's own memory; libvips computes the pixels into it unless they are already there.
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

    /// Returns whether a library has reported damage in decoded data since the last call.
    static func takeDamage() -> Bool { CVipsShims_take_damage() != 0 }

    /// Returns a failure with the messages of libvips in one line, and empties its buffer.
    static func failure(_ reason: DecodingFailure.Reason = .malformed) -> DecodingFailure {
        let text = unsafe String(cString: vips_error_buffer())
        vips_error_clear()
        return failure(reason, saying: text.split(separator: "\n").joined(separator: "; "))
    }

    /// Returns the failure for a message of a library.
    static func failure(_ reason: DecodingFailure.Reason, saying line: String) -> DecodingFailure {
        // Messages of libheif for a codec or box that it cannot read, of libjpeg for lossless and 12-bit files, and of
        // libvips and libtiff for tiles of separate planes, 12 bits, floating point of 16 and 64 bits, and compressions.
        let refusals = [
            "Unsupported feature", "Unsupported codec", "Unsupported JPEG", "unsupported tiff image type",
            "separate planes not supported", "is not implemented", "samples out of range",
            "not a whole number of bytes",
        ]
        if refusals.contains(where: line.contains) {
            return DecodingFailure(.unsupportedVariant, detail: line)
        }
        let shortages = ["nsufficient memory", "out of memory", "Out of memory", "annot allocate memory"]
        if shortages.contains(where: line.contains) { return DecodingFailure(.outOfMemory, detail: line) }
        // Messages of libheif and libjpeg about their bounds on sizes.
        if line.contains("Security limit exceeded") || line.contains("Maximum supported image dimension") {
            return DecodingFailure(.libraryLimit, detail: line)
        }
        return DecodingFailure(reason, detail: line)
    }
}

/// A closure that takes each row, in a form that C can pass on.
@unsafe private struct RowTaker {
    let take: (UnsafePointer<UInt8>) -> Void
}
