// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Checks the structure of a PNM or PAM file.
///
/// Source: Netpbm, formats pbm(5), pgm(5), ppm(5) and pam(5).
enum NetpbmStructure {
    static func fits(_ prefix: [UInt8]) -> Bool {
        guard prefix.count > 3, prefix[0] == 0x50, (0x31...0x37).contains(prefix[1]) else { return false }
        // A thumbnail of the program xv begins with the letters of PAM and a number.
        return prefix[1] == 0x37 ? prefix[2] == 0x0A : StillPicture.isSpace(prefix[2])
    }

    /// The numbers of a header.
    private struct Header {
        var width = 0, height = 0
        /// The number of samples of a pixel.
        var sampleCount = 1
        var maximum = 1
        /// The kind of a PAM file.
        var kind = ""
        /// The position of the first sample, in bytes.
        var start = 0
    }

    /// - Parameter bytes: the whole file.
    static func picture(_ bytes: [UInt8]) throws(DecodingFailure) -> StillPicture {
        guard fits(bytes) else { throw broken("the header is broken") }
        let kind = bytes[1] - 0x30
        let header = try kind == 7 ? arbitraryHeader(bytes) : plainHeader(bytes, kind)
        guard (1...65_535).contains(header.maximum), (1...4).contains(header.sampleCount), header.width > 0,
            header.height > 0
        else { throw broken("the header is broken") }
        let count = header.width * header.height * header.sampleCount
        if kind <= 3 {
            try checkText(bytes, header, count: count, isBits: kind == 1)
        } else {
            let width = header.maximum > 255 ? 2 : 1
            let size = kind == 4 ? (header.width + 7) / 8 * header.height : count * width
            guard header.start + size <= bytes.count else { throw broken("the file ends before its last row") }
            if kind != 4 { try checkLevels(bytes, header, size: size) }
            // Netpbm allows pictures behind the first, which many programs ignore.
            try StillPicture.checkEnd(bytes[(header.start + size)...], .netpbm)
        }
        let codec: StillPicture.Codec =
            switch kind {
            case 1, 4: .pbm
            case 2, 5: .pgm
            case 3, 6: .ppm
            default: .pam
            }
        var picture = StillPicture(codec, width: header.width, height: header.height)
        if [2, 5].contains(kind), header.maximum > 255 {
            picture.otherFiles.append(cutOff(bytes, header, count: count, isText: kind == 2))
        }
        if kind > 4, ![1, 255, 65_535].contains(header.maximum) {
            picture.otherFiles.append(withAllLevels(bytes, header, count: count))
        }
        return picture
    }

    /// Reads the numbers behind the signature, between which comments may stand.
    private static func plainHeader(_ bytes: [UInt8], _ kind: UInt8) throws(DecodingFailure) -> Header {
        var position = 2
        func number() throws(DecodingFailure) -> Int {
            while position < bytes.count {
                if bytes[position] == comment {
                    let end = bytes[position...].firstIndex(of: lineFeed) ?? bytes.count
                    // Some programs end a comment at a carriage return.
                    guard !bytes[position..<end].contains(carriageReturn) else {
                        throw DecodingFailure(.textBetweenNumbers, .netpbm)
                    }
                    position = end
                } else if !StillPicture.isSpace(bytes[position]) {
                    break
                }
                position += 1
            }
            let digits = bytes[min(position, bytes.count)...].prefix(mostDigits).prefix { isDigit($0) }
            position += digits.count
            // A comment or a letter directly behind a number is read in several ways.
            guard !digits.isEmpty, position < bytes.count, StillPicture.isSpace(bytes[position]) else {
                throw broken("the header is broken")
            }
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        var header = Header()
        (header.width, header.height) = (try number(), try number())
        if kind % 3 != 1 { header.maximum = try number() }
        header.sampleCount = kind % 3 == 0 ? 3 : 1
        header.start = position + 1
        return header
    }

    /// Reads the lines of a PAM file, each of which has a name and a value.
    private static func arbitraryHeader(_ bytes: [UInt8]) throws(DecodingFailure) -> Header {
        var header = Header()
        var position = 3
        var seen: Set<String> = []
        while let end = bytes[min(position, bytes.count)...].prefix(mostLineBytes).firstIndex(of: lineFeed) {
            guard !bytes[position..<end].contains(carriageReturn) else { break }
            let words = String(decoding: bytes[position..<end], as: UTF8.self).split(separator: " ")
            position = end + 1
            guard let name = words.first, !name.hasPrefix("#") else { continue }
            if name == "ENDHDR" {
                header.start = position
                guard seen.isSuperset(of: ["WIDTH", "HEIGHT", "DEPTH", "MAXVAL"]) else { break }
                let known = ["BLACKANDWHITE", "GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"]
                let counts = [1, 1, 2, 3, 4]
                guard let place = known.firstIndex(of: header.kind), counts[place] == header.sampleCount,
                    (header.maximum == 1) == (place == 0)
                else { throw unsupported("samples of the kind \(header.kind)") }
                return header
            }
            guard words.count == 2, seen.insert(String(name)).inserted else { break }
            if name == "TUPLTYPE" {
                header.kind = String(words[1].prefix(32))
                continue
            }
            guard let value = Int(words[1]), (1...65_535).contains(value) else { break }
            switch name {
            case "WIDTH": header.width = value
            case "HEIGHT": header.height = value
            case "DEPTH": header.sampleCount = value
            case "MAXVAL": header.maximum = value
            default: throw broken("the header is broken")
            }
        }
        throw broken("the header is broken")
    }

    /// Checks that a file of numbers in decimal digits has all of them and nothing else.
    private static func checkText(
        _ bytes: [UInt8], _ header: Header, count: Int, isBits: Bool
    ) throws(DecodingFailure) {
        var (found, value, isInNumber) = (0, 0, false)
        for byte in bytes[header.start...] {
            guard isDigit(byte) else {
                guard StillPicture.isSpace(byte) else { throw DecodingFailure(.textBetweenNumbers, .netpbm) }
                isInNumber = false
                continue
            }
            // Bits need no space between them.
            if isBits || !isInNumber { (found, value) = (found + 1, 0) }
            isInNumber = true
            value = value * 10 + Int(byte - 0x30)
            guard value <= header.maximum else { throw DecodingFailure(.levelBeyondMaximum, .netpbm) }
        }
        guard found >= count else { throw broken("the file ends before its last row") }
        guard found == count else { throw TrailingMedia.found(.netpbm) }
    }

    private static func checkLevels(_ bytes: [UInt8], _ header: Header, size: Int) throws(DecodingFailure) {
        let samples = bytes[header.start..<(header.start + size)]
        let isWithin: Bool
        switch header.maximum {
        case 255, 65_535: return
        case ..<255: isWithin = samples.allSatisfy { Int($0) <= header.maximum }
        default:
            isWithin = stride(from: samples.startIndex, to: samples.endIndex, by: 2)
                .allSatisfy { Int(samples[$0]) << 8 | Int(samples[$0 + 1]) <= header.maximum }
        }
        guard isWithin else { throw DecodingFailure(.levelBeyondMaximum, .netpbm) }
    }

    /// Returns the file with its levels spread over 8 or 16 bits, as most programs show them.
    ///
    /// FFmpeg leaves the levels of a PAM file as they are. In other files, it multiplies by a rounded factor, with which
    /// the highest level of some files becomes the lowest.
    private static func withAllLevels(_ bytes: [UInt8], _ header: Header, count: Int) -> [UInt8] {
        let (most, width) = header.maximum < 256 ? (255, 1) : (65_535, 2)
        var file = Array("P\(bytes[1] - 0x30)\n".utf8)
        if bytes[1] == 0x37 {
            file += Array(
                """
                WIDTH \(header.width)
                HEIGHT \(header.height)
                DEPTH \(header.sampleCount)
                MAXVAL \(most)
                TUPLTYPE \(header.kind)
                ENDHDR

                """.utf8)
        } else {
            file += Array("\(header.width) \(header.height) \(most)\n".utf8)
        }
        file.reserveCapacity(file.count + count * width)
        for index in 0..<count {
            let place = header.start + index * width
            let level = width == 1 ? Int(bytes[place]) : Int(bytes[place]) << 8 | Int(bytes[place + 1])
            let spread = (level * most + header.maximum / 2) / header.maximum
            if width == 2 { file.append(UInt8(spread >> 8)) }
            file.append(UInt8(truncatingIfNeeded: spread))
        }
        return file
    }

    /// Returns a file of 8 bits with grey levels of 16 bits that are cut off at 255, as Pillow converts them.
    private static func cutOff(
        _ bytes: [UInt8], _ header: Header, count: Int, isText: Bool
    ) -> [UInt8] {
        var file = Array("P5\n\(header.width) \(header.height) 255\n".utf8)
        file.reserveCapacity(file.count + count)
        func add(_ level: Int) { file.append(UInt8(min(level * 65_535 / header.maximum, 255))) }
        if isText {
            for number in bytes[header.start...].split(whereSeparator: { !isDigit($0) }) {
                add(number.reduce(0) { $0 * 10 + Int($1 - 0x30) })
            }
        } else {
            for place in stride(from: header.start, to: header.start + 2 * count, by: 2) {
                add(Int(bytes[place]) << 8 | Int(bytes[place + 1]))
            }
        }
        return file
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static let (comment, lineFeed, carriageReturn): (UInt8, UInt8, UInt8) = (0x23, 0x0A, 0x0D)
    private static let mostDigits = 9
    private static let mostLineBytes = 256

    private static func unsupported(_ detail: String) -> DecodingFailure {
        DecodingFailure(.unsupportedVariant, format: .netpbm, detail: detail)
    }

    private static func broken(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .netpbm, detail: detail)
    }
}
