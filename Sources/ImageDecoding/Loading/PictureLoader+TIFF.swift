// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CTIFFShims
internal import CVips
internal import DecoderService
internal import FileAccess
internal import ViewerAgreement

extension PictureLoader {
    /// Decodes a picture of a TIFF file by libvips, or by libtiff's conversion to RGB if libvips cannot read it.
    func loadTIFF(_ directory: TIFFDirectory, _ meaning: ColourMeaning) throws(DecodingFailure) -> RenderedPicture {
        guard !directory.needsConversion else { return try convertedTIFF(directory) }
        do throws(DecodingFailure) {
            return try load(.tiff, directory.part, isStreamed: true, meaning)
        } catch {
            guard error.reason == .unsupportedVariant else { throw error }
            do throws(DecodingFailure) {
                return try convertedTIFF(directory)
            } catch let other {
                throw other.reason == .unsupportedVariant ? error : other
            }
        }
    }

    /// Opens a picture of a TIFF file without decoding it, in the colours that its directory names.
    func openTIFF(_ directory: TIFFDirectory) throws(DecodingFailure) -> PrimaryPicture.Opened {
        if let palette = directory.paletteBesideOpacity {
            return PrimaryPicture.Opened(picture: try coloured(directory.part, by: palette).colours)
        }
        if !directory.needsConversion {
            do throws(DecodingFailure) {
                let picture = try VipsPicture.open(file, directory.part, with: .tiff)
                try limits.checkPicture(width: picture.width, height: picture.height, isStreamed: true)
                return PrimaryPicture.Opened(
                    picture: picture, meaning: ColourMeaning(isPremultiplied: directory.isPremultiplied))
            } catch {
                guard error.reason == .unsupportedVariant else { throw error }
            }
        }
        let (picture, meaning, orientation) = try converted(directory)
        return PrimaryPicture.Opened(picture: picture, meaning: meaning, orientation: orientation)
    }

    /// - Throws: `unsupportedVariant` for pixels that libtiff cannot convert, such as those with opacity.
    private func convertedTIFF(_ directory: TIFFDirectory) throws(DecodingFailure) -> RenderedPicture {
        let (picture, meaning, orientation) = try converted(directory)
        return try upright(
            try views(of: picture, meaning), of: picture, orientation: orientation,
            isDamaged: VipsPicture.takeDamage())
    }

    private func converted(
        _ directory: TIFFDirectory
    ) throws(DecodingFailure) -> (VipsPicture, ColourMeaning, orientation: Int) {
        var header = CTIFFShims_Picture()
        func check(_ status: Int32) throws(DecodingFailure) {
            switch Int(status) {
            case CTIFFShims_done: return
            case CTIFFShims_unsupported: throw VipsPicture.failure(.unsupportedVariant)
            default: throw VipsPicture.failure()
            }
        }
        let (start, size) = (Int64(file.start), Int64(file.byteCount))
        try check(
            unsafe CTIFFShims_read_header(file.descriptor.number, start, size, Int64(directory.start), &header))
        let (width, height) = (Int(header.width), Int(header.height))
        try limits.checkPicture(width: width, height: height, isStreamed: false)
        var samples = [UInt8](repeating: 0, count: width * height * 4)
        try check(
            unsafe CTIFFShims_read_pixels(
                file.descriptor.number, start, size, Int64(directory.start), &header, &samples))
        let picture = try VipsPicture.inMemory(samples, width: width, height: height, bandCount: 4)
            .bands(from: 0, count: 3).interpreted(as: VIPS_INTERPRETATION_sRGB)
        let profile: [UInt8]? =
            if let place = directory.profile { try file.bytes(at: place.lowerBound, count: place.count) } else { nil }
        return (
            picture, ColourMeaning(hasProfile: profile != nil, embeddedProfile: profile), Int(header.orientation)
        )
    }

    /// Decodes a picture whose grey levels are the numbers of colours, in these colours and as grey.
    ///
    /// - Parameter palette: red, green and blue of 256 colours.
    func loadTIFF(
        _ part: FilePart, coloursOfGrey palette: [UInt8], _ meaning: ColourMeaning
    ) throws(DecodingFailure) -> RenderedPicture {
        let (colours, numbers) = try coloured(part, by: palette)
        var averages = try views(of: colours, meaning)
        try averages.add(try views(of: try VipsPicture.open(file, part, with: .tiff), meaning).views)
        return try upright(averages, of: numbers, isDamaged: VipsPicture.takeDamage())
    }

    /// Returns the picture in the colours of its palette, and the picture of their numbers.
    private func coloured(
        _ part: FilePart, by palette: [UInt8]
    ) throws(DecodingFailure) -> (colours: VipsPicture, numbers: VipsPicture) {
        let numbers = try VipsPicture.open(file, part, with: .tiff)
        try limits.checkPicture(width: numbers.width, height: numbers.height, isStreamed: false)
        guard numbers.bandCount == 2, numbers.format == VIPS_FORMAT_UCHAR else {
            throw DecodingFailure(.internalError, detail: "a palette without opacity")
        }
        var samples: [UInt8] = []
        samples.reserveCapacity(numbers.width * numbers.height * 4)
        for (index, number) in try numbers.pixels().enumerated() {
            if index % 2 == 1 {
                samples.append(number)
            } else {
                samples += palette[(3 * Int(number))..<(3 * Int(number) + 3)]
            }
        }
        let colours = try VipsPicture.inMemory(samples, width: numbers.width, height: numbers.height, bandCount: 4)
            .interpreted(as: VIPS_INTERPRETATION_sRGB)
        return (colours, numbers)
    }
}
