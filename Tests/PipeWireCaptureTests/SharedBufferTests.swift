// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import CPipeWireShims
import Glibc
import TestSupport
import Testing

@Suite("Buffers that a source of PipeWire shares")
struct SharedBufferTests {
    private let counting = (0..<64).map { UInt8($0 * 3 + 1) }

    @Test func `Planes with padding are packed without it`() throws {
        // 5 × 3 with rows of 8: three rows of luma, and two rows of 4 for each colour.
        let buffer = SharedBuffer(
            format: CPipeWireShims_source_I420, width: 5, height: 3, bytes: Array(counting[..<40]), stride: 8)
        let frame = try #require(buffer.packed())
        #expect(!frame.isBiplanar && frame.width == 5 && frame.height == 3)
        let luma = [0, 8, 16].flatMap { counting[$0..<$0 + 5] }
        let colors = [24, 28, 32, 36].flatMap { counting[$0..<$0 + 3] }
        #expect(frame.bytes == luma + colors)
    }

    @Test func `The arrangement of GStreamer, whose rows are rounded to four bytes, is found by its size`() throws {
        let buffer = SharedBuffer(
            format: CPipeWireShims_source_NV12, width: 5, height: 3, bytes: Array(counting[..<48]), stride: 0)
        let frame = try #require(buffer.packed())
        #expect(frame.isBiplanar)
        #expect(Array(frame.bytes[15..<27]) == [32, 40].flatMap { counting[$0..<$0 + 6] })
    }

    @Test func `Pairs of pixels become planes, and the colours of two rows their mean`() throws {
        let rows: [UInt8] = [1, 10, 2, 20, 3, 10, 0, 20, 4, 21, 5, 41, 6, 21, 0, 41, 7, 50, 8, 60, 9, 50, 0, 60]
        let buffer = SharedBuffer(
            format: CPipeWireShims_source_YUY2, width: 3, height: 3, bytes: rows, stride: 8)
        #expect(buffer.packed()?.bytes == [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 16, 50, 50, 31, 31, 60, 60])
    }

    @Test(
        arguments: [
            ([255, 255, 255], [235, 128, 128]), ([0, 0, 0], [16, 128, 128]), ([255, 0, 0], [63, 102, 240]),
            ([0, 0, 255], [32, 240, 118]),
        ] as [([UInt8], [UInt8])])
    func `Red, green and blue become the video range of BT.709`(_ color: [UInt8], _ levels: [UInt8]) throws {
        let red = SharedBuffer(
            format: CPipeWireShims_source_RGBx, width: 3, height: 1,
            bytes: Array(repeatElement(color + [9], count: 3).joined()))
        let blue = SharedBuffer(
            format: CPipeWireShims_source_BGRA, width: 3, height: 1,
            bytes: Array(repeatElement(color.reversed() + [9], count: 3).joined()))
        let wanted = [levels[0], levels[0], levels[0], levels[1], levels[1], levels[2], levels[2]]
        #expect(red.packed()?.bytes == wanted)
        #expect(blue.packed()?.bytes == wanted)
    }

    @Test func `A part of a picture is taken out`() {
        var buffer = SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: Array(counting[..<24]), stride: 4)
        buffer.crop = CPipeWireShims_Crop(x: 2, y: 2, width: 2, height: 2)
        #expect(buffer.packed()?.bytes == [10, 11, 14, 15, 19, 23].map { counting[$0] })
    }

    @Test func `Opacity and hidden parts, which other programs show, are noticed`() {
        func colors(_ format: CPipeWireShims_SourceFormat, _ alpha: UInt8) -> SharedBuffer {
            let pixel: [UInt8] = [1, 2, 3]
            return SharedBuffer(
                format: format, width: 2, height: 3, bytes: (0..<6).flatMap { pixel + [$0 == 5 ? alpha : 255] })
        }
        #expect(colors(CPipeWireShims_source_BGRA, 254).hidesParts())
        #expect(!colors(CPipeWireShims_source_BGRA, 255).hidesParts())
        #expect(!colors(CPipeWireShims_source_BGRx, 0).hidesParts())
        var buffer = SharedBuffer(
            format: CPipeWireShims_source_I420, width: 64, height: 64, bytes: .init(repeating: 1, count: 64 * 96))
        buffer.crop = CPipeWireShims_Crop(x: 0, y: 0, width: 64, height: 56)
        #expect(!buffer.hidesParts())
        buffer.crop = CPipeWireShims_Crop(x: 0, y: 16, width: 64, height: 48)
        #expect(buffer.hidesParts())
        buffer.crop = CPipeWireShims_Crop(x: 0, y: 0, width: 48, height: 64)
        #expect(buffer.hidesParts())
    }

    @Test func `Turned frames become upright`() {
        func turned(_ turns: UInt32) -> SharedBuffer.Packed? {
            // Luma 1 2 3 / 4 5 6, and colours 7 8 and 9 10.
            SharedBuffer(
                format: CPipeWireShims_source_I420, width: 3, height: 2, bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
                stride: 3, turns: turns
            ).packed()
        }
        #expect(turned(0)?.bytes == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        #expect(turned(1)?.bytes == [4, 1, 5, 2, 6, 3, 7, 8, 9, 10])
        #expect(turned(1)?.width == 2)
        #expect(turned(2)?.bytes == [6, 5, 4, 3, 2, 1, 8, 7, 10, 9])
        #expect(turned(3)?.bytes == [3, 6, 2, 5, 1, 4, 8, 7, 10, 9])
        let pairs = SharedBuffer(
            format: CPipeWireShims_source_NV12, width: 4, height: 2, bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            stride: 4, turns: 2)
        #expect(pairs.packed()?.bytes == [8, 7, 6, 5, 4, 3, 2, 1, 11, 12, 9, 10])
    }

    @Test(arguments: [
        SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 23)),
        SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 24),
            stride: 3),
        SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 24),
            stride: -4),
        SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 24),
            stride: .max),
        SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 24),
            stride: 4,
            statedOffset: 1),
        SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 24),
            stride: 4,
            statedSize: 8),
        SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 24),
            stride: 4,
            crop: CPipeWireShims_Crop(x: 2, y: 0, width: 3, height: 1)),
        SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 24),
            stride: 4,
            crop: CPipeWireShims_Crop(x: .max, y: .max, width: .max, height: .max)),
        SharedBuffer(
            format: CPipeWireShims_SourceFormat(rawValue: 99), width: 4, height: 4,
            bytes: .init(repeating: 1, count: 64)),
        SharedBuffer(format: CPipeWireShims_source_I420, width: 0, height: 4, bytes: [1]),
    ])
    func `A description that cannot be true is refused`(_ buffer: SharedBuffer) {
        #expect(buffer.result().code == CPipeWireShims_packing_unreadable)
    }

    @Test func `A frame beyond the limits is refused before memory is allocated`() {
        var buffer = SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 24), stride: 4)
        buffer.limits = CPipeWireShims_Limits(max_edge: 3, max_pixels: 100)
        #expect(buffer.result().code == CPipeWireShims_packing_refused_size)
        buffer.limits = CPipeWireShims_Limits(max_edge: 4, max_pixels: 15)
        #expect(buffer.result().code == CPipeWireShims_packing_refused_size)
    }

    @Test func `Memory that its source has shrunk is refused, and raises no signal`() throws {
        let path = "/dev/shm/sca-shrunk-\(getpid())"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        unlink(path)
        try #require(ftruncate(descriptor, 24) == 0)
        var buffer = SharedBuffer(
            format: CPipeWireShims_source_I420, width: 4, height: 4, bytes: .init(repeating: 1, count: 24), stride: 4)
        buffer.descriptor = descriptor
        #expect(buffer.packed()?.bytes == [UInt8](repeating: 0, count: 24))
        try #require(ftruncate(descriptor, 23) == 0)
        #expect(buffer.result().code == CPipeWireShims_packing_unreadable)
    }

    @Test func `Random descriptions are packed or refused, and never read beyond their memory`() {
        var generator = SplitMix64(state: 7)
        let numbers: [UInt32] = [0, 1, 2, 3, 4, 5, 7, 8, 16, 63, 64, 65, 4095, 4096, 65535, 65536, 1 << 30, .max]
        func number() -> UInt32 { numbers.randomElement(using: &generator)! }
        var packedCount = 0
        for _ in 0..<20_000 {
            var buffer = SharedBuffer(
                format: CPipeWireShims_SourceFormat(rawValue: .random(in: 0...8, using: &generator)), width: number(),
                height: number(), bytes: .init(repeating: 5, count: .random(in: 1...300, using: &generator)))
            buffer.stride = Int32(bitPattern: number())
            buffer.statedSize = Bool.random(using: &generator) ? number() : nil
            buffer.statedOffset = Bool.random(using: &generator) ? number() : 0
            if Bool.random(using: &generator) {
                buffer.crop = CPipeWireShims_Crop(
                    x: Int32(bitPattern: number()), y: Int32(bitPattern: number()), width: number(), height: number())
            }
            buffer.turns = .random(in: 0...3, using: &generator)
            guard let frame = buffer.packed() else { continue }
            packedCount += 1
            let (width, height) = (Int(frame.width), Int(frame.height))
            #expect(frame.bytes.count == width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2))
        }
        #expect(packedCount > 100)
    }
}

extension SharedBuffer: @unchecked Sendable {}
