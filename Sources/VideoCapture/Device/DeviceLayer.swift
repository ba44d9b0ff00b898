// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CCaptureShims
internal import FileAccess
internal import Glibc

/// A capture device of the kernel, with its mapped buffers.
///
/// One thread uses it.
@safe
final class DeviceLayer: CaptureLayer, @unchecked Sendable {
    // @unchecked: one thread uses the object from the first call to the last.

    private let device: OwnedDescriptor
    private var buffers: [UnsafeRawBufferPointer]

    /// - Throws: `CaptureLayerError`, with `ENODEV` for a file that is no device.
    init(path: String) throws(CaptureLayerError) {
        device = OwnedDescriptor(try Self.check(unsafe CCaptureShims_open(path)))
        unsafe buffers = []
    }

    deinit { stop() }

    func capturesVideo() throws(CaptureLayerError) -> Bool {
        try Self.check(CCaptureShims_captures_video(device.number)) == 1
    }

    func pixelFormat(at index: Int) throws(CaptureLayerError) -> UInt32? {
        var code: UInt32 = 0
        let error = unsafe CCaptureShims_format_at(device.number, UInt32(index), &code)
        if error == -EINVAL { return nil }
        try Self.check(error)
        return code
    }

    func setFormat(_ wanted: CaptureFormat) throws(CaptureLayerError) -> CaptureFormat {
        var format = CCaptureShims_Format()
        format.width = UInt32(clamping: wanted.width)
        format.height = UInt32(clamping: wanted.height)
        format.pixel_format = wanted.code
        try Self.check(unsafe CCaptureShims_set_format(device.number, &format))
        return Self.described(format)
    }

    func currentFormat() throws(CaptureLayerError) -> CaptureFormat {
        var format = CCaptureShims_Format()
        try Self.check(unsafe CCaptureShims_get_format(device.number, &format))
        return Self.described(format)
    }

    private static func described(_ format: CCaptureShims_Format) -> CaptureFormat {
        CaptureFormat(
            width: Int(format.width), height: Int(format.height), code: format.pixel_format,
            bytesPerRow: Int(format.bytes_per_row), isProgressive: format.is_progressive,
            isFullRange: format.is_full_range, matrix: matrix(format.matrix))
    }

    private static func matrix(_ number: UInt32) -> VideoPixels.ColorMatrix? {
        switch number {
        case 601: .bt601
        case 709: .bt709
        default: nil
        }
    }

    func setInterval(_ wanted: Duration) -> Duration? {
        var (numerator, denominator) = (UInt32(clamping: Int(wanted / .microseconds(1))), UInt32(1_000_000))
        guard unsafe CCaptureShims_set_interval(device.number, &numerator, &denominator) == 0, numerator > 0,
            denominator > 0
        else { return nil }
        return .seconds(Double(numerator) / Double(denominator))
    }

    func makeBuffers(_ count: Int) throws(CaptureLayerError) -> [Int] {
        var made = UInt32(count)
        try Self.check(unsafe CCaptureShims_make_buffers(device.number, &made))
        for index in 0..<min(made, Self.mostBuffers) {
            var (length, offset): (UInt32, UInt32) = (0, 0)
            try Self.check(unsafe CCaptureShims_buffer_at(device.number, index, &length, &offset))
            guard (1...Self.mostBytesOfBuffer).contains(length) else { throw CaptureLayerError(EOVERFLOW) }
            let start = unsafe mmap(nil, Int(length), PROT_READ, MAP_SHARED, device.number, Int(offset))
            guard let start = unsafe start, unsafe start != MAP_FAILED else { throw CaptureLayerError(errno) }
            unsafe buffers.append(UnsafeRawBufferPointer(start: start, count: Int(length)))
        }
        return unsafe buffers.map(\.count)
    }

    func queue(_ index: Int) throws(CaptureLayerError) {
        try Self.check(CCaptureShims_queue(device.number, UInt32(index)))
    }

    func start() throws(CaptureLayerError) { try Self.check(CCaptureShims_stream(device.number, true)) }

    func takeBuffer() throws(CaptureLayerError) -> FilledBuffer? {
        var ready = pollfd(fd: device.number, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&ready, 1, 100)
        guard count >= 0 || errno == EINTR else { throw CaptureLayerError(errno) }
        guard count > 0 else { return nil }
        var buffer = CCaptureShims_Buffer()
        let error = unsafe CCaptureShims_dequeue(device.number, &buffer)
        if error == -EAGAIN {
            // A device in error is always ready, and would keep a core busy.
            usleep(10_000)
            return nil
        }
        try Self.check(error)
        return FilledBuffer(
            index: Int(buffer.index), byteCount: Int(buffer.byte_count), isDamaged: buffer.is_damaged,
            isWhole: buffer.is_whole, moment: buffer.moment < 0 ? nil : .microseconds(buffer.moment))
    }

    func withBytes<Result>(of index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(buffers[index])
    }

    func stop() {
        _ = CCaptureShims_stream(device.number, false)
        while let buffer = unsafe buffers.popLast() {
            unsafe munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress!), buffer.count)
        }
        var none: UInt32 = 0
        _ = unsafe CCaptureShims_make_buffers(device.number, &none)
    }

    @discardableResult
    private static func check(_ result: Int32) throws(CaptureLayerError) -> Int32 {
        if result < 0 { throw CaptureLayerError(-result) }
        return result
    }

    /// The most buffers that are mapped; the kernel has 32 at most.
    private static let mostBuffers: UInt32 = 32
    /// The most bytes of a buffer, which is more than the largest frame has.
    private static let mostBytesOfBuffer: UInt32 = 1 << 28
}

extension CaptureDevice {
    /// Opens a device of Video4Linux2, such as /dev/video0.
    ///
    /// - Throws: `AnalysisFailure` with the remedy.
    package init(path: String, _ wish: CaptureWish, limits: AnalysisLimits) throws(AnalysisFailure) {
        let layer = try AnalysisFailure.ofDevice { try DeviceLayer(path: path) }
        try self.init(layer, wish, limits: limits)
    }
}
