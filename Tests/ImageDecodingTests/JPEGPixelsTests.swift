// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import CJPEGShims
import Foundation
import Testing

/// These cases cannot occur in a file for the decoder, because libvips reads the same header first.
@Suite("The pixels of a JPEG file")
struct JPEGPixelsTests {
    private struct Refused: Error, Equatable { let message: String }

    private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/plain/plain.jpg")

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func decode(
        _ data: Data, from start: Int64 = 0, width: Int32 = 320, height: Int32 = 240, bands: Int32 = 3
    ) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forReadingFrom: file)
        var rows = Rows(length: Int(width * bands))
        var message = [CChar](repeating: 0, count: Int(CJPEGSHIMS_MESSAGE_SIZE))
        let take = unsafe CJPEGShims_TakeRows(
            row: { context, row in unsafe context!.assumingMemoryBound(to: Rows.self).pointee.add(row!) },
            shared_row: nil)
        var sharing = CJPEGShims_not_shared
        let shape = CJPEGShims_Shape(width: width, height: height, bands: bands)
        let status = unsafe withUnsafeMutablePointer(to: &rows) { rows in
            unsafe CJPEGShims_decode(
                handle.fileDescriptor, start, shape, 1, take, rows, &sharing, &message)
        }
        guard status == 0 else { throw Refused(message: text(message)) }
        return rows.pixels
    }

    private struct Rows {
        let length: Int
        var pixels: [UInt8] = []

        mutating func add(_ row: UnsafePointer<UInt8>) {
            unsafe pixels.append(contentsOf: UnsafeBufferPointer(start: row, count: length))
        }
    }

    @Test("The pixels of a JPEG file are read from the place where the picture begins")
    func start() throws {
        let data = try Data(contentsOf: Self.fixture)
        #expect(try Self.decode(Data(repeating: 7, count: 100_000) + data, from: 100_000) == Self.decode(data))
    }

    @Test(
        "A JPEG file that differs from its header is refused",
        arguments: [(321, 240, 3), (320, 239, 3), (320, 240, 1), (320, 240, 4)] as [(Int32, Int32, Int32)])
    func shape(width: Int32, height: Int32, bands: Int32) throws {
        let data = try Data(contentsOf: Self.fixture)
        #expect(throws: Refused(message: "the file changes while it is read")) {
            try Self.decode(data, width: width, height: height, bands: bands)
        }
    }

    @Test("A JPEG file that ends before its picture does is refused", arguments: [0, 1, 20, 300, 5000])
    func cut(length: Int) throws {
        let data = try Data(contentsOf: Self.fixture).prefix(length)
        #expect(throws: Refused.self) { try Self.decode(data) }
    }

    @Test("A JPEG file that repeats a scan for ever is refused before it costs much time")
    func scans() throws {
        let file = Self.fixture.deletingLastPathComponent().appendingPathComponent("progressive.jpg")
        let data = try Data(contentsOf: file)
        #expect(try Self.decode(data).count == 320 * 240 * 3)
        let last = try #require(data.lastRange(of: Data([0xFF, 0xDA])))
        let scan = data[last.lowerBound..<(data.count - 2)]
        let repeated = data.prefix(data.count - 2) + (0..<200).flatMap { _ in scan } + [0xFF, 0xD9]
        #expect(throws: Refused(message: "too many warnings")) { try Self.decode(repeated) }
    }

    /// A picture of 16 × 16 pixels, not progressive, with a scan for each colour; made with libjpeg-turbo.
    private static let threeScans = Data(
        base64Encoded:
            """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcp\
            LDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy\
            MjIyMjIyMjIyMjIyMjL/wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAA\
            AgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6\
            Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXG\
            x8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APJ/D/h3+1dnyZz7V3w+HWi6ZZJea3cQWkLfd8zl\
            n6ZCqMsx5HABqb4epbaX4an1u7jLw2sW/YON7HAVc9ssQM+9Xwj+bDr+vwNqGq37bLSzT5FCrjKg4OxF3e5JPckmv//EAB8B\
            AAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRC\
            kaGxwQkjM1LwFWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWG\
            h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAAgB\
            AhEAPwBy0dkj/9oACAEDEQA/ACCuf//Z
            """)

    @Test("A JPEG file with more scans than any reader needs is refused", arguments: [(97, true), (98, false)])
    func manyScans(repetitions: Int, isDecoded: Bool) throws {
        let data = try #require(Self.threeScans)
        let last = try #require(data.lastRange(of: Data([0xFF, 0xDA])))
        let scan = data[last.lowerBound..<(data.count - 2)]
        let repeated = data.prefix(data.count - 2) + (0..<repetitions).flatMap { _ in scan } + [0xFF, 0xD9]
        if isDecoded {
            #expect(try Self.decode(repeated, width: 16, height: 16) == Self.decode(data, width: 16, height: 16))
        } else {
            #expect(throws: Refused(message: "too many scans")) {
                try Self.decode(repeated, width: 16, height: 16)
            }
        }
    }

    @Test("A JPEG file with a segment longer than the rest is refused")
    func skipping() throws {
        // The first marker is followed by a comment of 65,533 bytes, of which the file has too few.
        let data = try Data(contentsOf: Self.fixture)
        let broken = data.prefix(2) + [0xFF, 0xFE, 0xFF, 0xFF] + data.dropFirst(2)
        #expect(throws: Refused.self) { try Self.decode(broken) }
        // The same comment is complete here; it is longer than the buffer, and the picture follows it.
        let comment = Data(repeating: 0x20, count: 65_533)
        let whole = data.prefix(2) + [0xFF, 0xFE, 0xFF, 0xFF] + comment + data.dropFirst(2)
        #expect(try Self.decode(whole) == Self.decode(data))
    }

    @Test(
        "Shapes that no JPEG file has are refused",
        arguments: [(320, 2, 0), (320, 3, -1), (65_501, 3, 0)] as [(Int32, Int32, Int64)])
    func arguments(width: Int32, bands: Int32, start: Int64) {
        var message = [CChar](repeating: 0, count: Int(CJPEGSHIMS_MESSAGE_SIZE))
        let shape = CJPEGShims_Shape(width: width, height: 240, bands: bands)
        let take = unsafe CJPEGShims_TakeRows(row: { _, _ in }, shared_row: nil)
        var sharing = CJPEGShims_not_shared
        #expect(unsafe CJPEGShims_decode(-1, start, shape, 1, take, nil, &sharing, &message) == -1)
        #expect(Self.text(message) == "a shape that no JPEG has")
    }
}
