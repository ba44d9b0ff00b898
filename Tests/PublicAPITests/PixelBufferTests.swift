// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SensitiveContentAnalysis
import Synchronization
import Testing

/// Frames in memory of the package, of the app and of other processes.
@Suite struct PixelBufferTests {
    /// Returns the descriptor of a memory file that can be sealed.
    static func makeMemoryFile() throws -> Int32 {
        typealias Function = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
        // Swift's overlay of the C library lacks the function.
        let symbol = try #require(dlsym(nil, "memfd_create"))
        let file = unsafeBitCast(symbol, to: Function.self)("frame", 2)
        try #require(file >= 0)
        return file
    }

    @Test(
        "A frame over memory of the app releases it once when the frame is gone", .timeLimit(.minutes(1)),
        arguments: [true, false])
    func release(_ fits: Bool) async throws {
        let count = Atomic(0)
        let (releases, continuation) = AsyncStream.makeStream(of: Void.self)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 * 36 * 4, alignment: 16)
        defer { memory.deallocate() }
        do {
            let frame = try CVPixelBuffer(
                width: 64, height: 36, pixelFormat: .bgra32,
                planes: [.init(baseAddress: memory, bytesPerRow: fits ? 256 : 255)]
            ) {
                count.add(1, ordering: .relaxed)
                continuation.yield()
            }
            let turned = try frame.displayed(cropping: .init(x: 1, y: 1, width: 5, height: 5), rotated: .quarter)
            #expect(turned.width == 64 && count.load(ordering: .relaxed) == 0)
        } catch {
            #expect(!fits)
        }
        for await _ in releases { break }
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test("A frame over a memory file reads its planes, whether or not the file can shrink", arguments: [true, false])
    func memoryFile(_ isSealed: Bool) throws {
        let file = try Self.makeMemoryFile()
        defer { close(file) }
        let bytes = [UInt8](repeating: 7, count: 16) + [UInt8](repeating: 9, count: 8 * 4 * 3 / 2)
        #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
        // F_ADD_SEALS with F_SEAL_SHRINK and F_SEAL_WRITE.
        if isSealed { #expect(fcntl(file, 1033, 2 | 8) == 0) }
        let frame = try CVPixelBuffer(
            width: 8, height: 4, pixelFormat: .i420FullRange, fileDescriptor: file, offsets: [16, 48, 56],
            bytesPerRow: [8, 4, 4])
        if !isSealed { #expect(ftruncate(file, 0) == 0) }
        #expect(frame.withPlane(2) { $0[7] } == 9 && frame.withPlane(0) { $0[0] } == 9)
        #expect(frame.bytesPerRow(ofPlane: 1) == 4)
    }

    @Test("A memory file that is too small for its planes makes no frame") func smallFile() throws {
        let file = try Self.makeMemoryFile()
        defer { close(file) }
        #expect(ftruncate(file, 100) == 0)
        for isSealed in [false, true] {
            if isSealed { #expect(fcntl(file, 1033, 2 | 8) == 0) }
            #expect(throws: SensitivityAnalysisError.self) {
                try CVPixelBuffer(
                    width: 8, height: 4, pixelFormat: .bgra32, fileDescriptor: file, offsets: [0], bytesPerRow: [32])
            }
        }
        #expect(throws: SensitivityAnalysisError.self) {
            try CVPixelBuffer(
                width: 8, height: 4, pixelFormat: .bgra32, fileDescriptor: -1, offsets: [0], bytesPerRow: [32])
        }
    }

    @Test("Sizes and offsets that make no sense make no frame") func nonsense() {
        for (width, height) in [(0, 1), (1, 0), (-1, 4), (16_385, 1), (1, .max), (.max, .max)] {
            #expect(throws: SensitivityAnalysisError.self) {
                try CVPixelBuffer(width: width, height: height, pixelFormat: .nv12FullRange)
            }
        }
        for (offsets, rows) in [
            ([0], [32, 16]), ([0, -1], [8, 8]), ([0, .max], [8, 8]), ([0, 0], [7, 8]), ([0, 0], [8, .max]),
        ] {
            #expect(throws: SensitivityAnalysisError.self) {
                try CVPixelBuffer(
                    width: 8, height: 4, pixelFormat: .nv12FullRange, fileDescriptor: 0, offsets: offsets,
                    bytesPerRow: rows)
            }
        }
    }

    @Test("The functions of Core Video describe a frame as Apple's do") func coreVideo() throws {
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferCreate(kCFAllocatorDefault, 63, 35, 1, nil, &buffer) == kCVReturnInvalidPixelFormat)
        #expect(CVPixelBufferCreate(nil, 0, 35, kCVPixelFormatType_32BGRA, nil, &buffer) == kCVReturnInvalidArgument)
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        #expect(CVPixelBufferCreate(kCFAllocatorDefault, 63, 35, format, nil, &buffer) == kCVReturnSuccess)
        let frame = try #require(buffer)
        #expect(CVPixelBufferGetPixelFormatType(frame) == format && CVPixelBufferGetPlaneCount(frame) == 2)
        #expect(CVPixelBufferGetWidth(frame) == 63 && CVPixelBufferGetHeight(frame) == 35)
        #expect(CVPixelBufferGetWidthOfPlane(frame, 1) == 32 && CVPixelBufferGetHeightOfPlane(frame, 1) == 18)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(frame, 1) == 64 && CVPixelBufferGetBytesPerRowOfPlane(frame, 2) == 0)
        #expect(CVPixelBufferGetBaseAddressOfPlane(frame, 2) == nil)
        CVPixelBufferLockBaseAddress(frame, [])
        CVPixelBufferGetBaseAddressOfPlane(frame, 1)?.storeBytes(of: 5, as: UInt8.self)
        CVPixelBufferUnlockBaseAddress(frame, [])
        #expect(frame.withPlane(1) { $0[0] } == 5)
    }
}
