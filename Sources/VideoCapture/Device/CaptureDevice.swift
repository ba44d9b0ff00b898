// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Glibc

/// The states of a capture device: from the choice of a format, over its buffers, to frames.
///
/// One thread uses it.
package struct CaptureDevice {
    private let layer: any CaptureLayer
    package let format: CaptureFormat
    package let encoding: CaptureEncoding
    /// The longest time without a whole frame.
    private let patience: Duration

    /// Chooses the format of an open device that is nearest to the wish.
    ///
    /// - Throws: `AnalysisFailure` if the device captures no video, is used by another program, or has no format that is
    ///   read here.
    package init(
        _ layer: any CaptureLayer, _ wish: CaptureWish = CaptureWish(), limits: AnalysisLimits = AnalysisLimits(),
        patience: Duration = .seconds(10)
    ) throws(AnalysisFailure) {
        try wish.check()
        self.layer = layer
        self.patience = patience
        (format, encoding) = try AnalysisFailure.ofDevice {
            guard try layer.capturesVideo() else { throw CaptureLayerError(ENODEV) }
            return try FormatChoice(layer, wish).make()
        }
        try check(limits)
    }

    private func check(_ limits: AnalysisLimits) throws(AnalysisFailure) {
        let mostEdge = min(VideoPixels.maximumEdge, limits.maximumEdge)
        guard format.width > 0, format.height > 0, encoding.fits(format) else { throw Self.contradiction }
        guard max(format.width, format.height) <= mostEdge, format.width * format.height <= limits.maximumPixelCount
        else {
            throw AnalysisFailure(
                .limitExceeded,
                "The device gives frames of \(format.width) × \(format.height) pixels; the limits are an edge of"
                    + " \(mostEdge) and \(limits.maximumPixelCount) pixels. Choose a smaller size.")
        }
        guard format.isProgressive else { throw Self.interlaced }
    }

    /// Captures frames while they are wanted, and gives the buffers back.
    ///
    /// Damaged frames are left out.
    ///
    /// - Parameters:
    ///   - areWanted: asked at least ten times a second.
    ///   - receive: takes a frame; the device drops frames while it takes long.
    /// - Throws: `AnalysisFailure` if the device is removed, gives no whole frame for ten seconds, or contradicts itself.
    package func run(while areWanted: () -> Bool, receive: (CapturedFrame) -> Void) throws(AnalysisFailure) {
        defer { layer.stop() }
        try AnalysisFailure.ofDevice {
            let lengths = try layer.makeBuffers(Self.bufferCount)
            guard lengths.count >= 2, lengths.allSatisfy({ $0 >= encoding.leastByteCount(of: format) }) else {
                throw Self.contradiction
            }
            for index in lengths.indices { try layer.queue(index) }
            try layer.start()
            // Until the buffers are made, another program may set the format.
            guard try layer.currentFormat() == format else { throw Self.contradiction }
            try takeFrames(lengths, while: areWanted, receive: receive)
        }
    }

    private func takeFrames(
        _ lengths: [Int], while areWanted: () -> Bool, receive: (CapturedFrame) -> Void
    ) throws {
        var clock = CaptureClock()
        var lastFrame = ContinuousClock.now
        var damagedCount = 0
        while areWanted() {
            if let buffer = try nextBuffer(&damagedCount) {
                guard lengths.indices.contains(buffer.index), buffer.byteCount <= lengths[buffer.index] else {
                    throw Self.contradiction
                }
                if let frame = try frame(in: buffer, at: clock.moment(of: buffer.moment, at: .now)) {
                    (lastFrame, damagedCount) = (.now, 0)
                    receive(frame)
                } else {
                    damagedCount += 1
                }
                try layer.queue(buffer.index)
            }
            guard lastFrame.duration(to: .now) < patience else { throw timeOut(damagedCount) }
        }
    }

    /// Takes the next buffer; nil if there is none yet, or the signal is lost for a moment.
    private func nextBuffer(_ damagedCount: inout Int) throws -> FilledBuffer? {
        do throws(CaptureLayerError) {
            return try layer.takeBuffer()
        } catch {
            // The kernel documents this error for faults that may pass.
            guard error.number == EIO else { throw error }
            damagedCount += 1
            usleep(10_000)
            return nil
        }
    }

    /// Returns the frame in a buffer; nil for a damaged frame.
    private func frame(in buffer: FilledBuffer, at moment: Duration) throws -> CapturedFrame? {
        guard buffer.isWhole else { throw Self.interlaced }
        guard !buffer.isDamaged, buffer.byteCount >= max(1, encoding.leastByteCount(of: format)),
            buffer.byteCount <= encoding.mostByteCount(of: format)
        else { return nil }
        let content = unsafe layer.withBytes(of: buffer.index) { bytes in
            unsafe encoding.content(UnsafeRawBufferPointer(rebasing: bytes[..<buffer.byteCount]), format)
        }
        guard let content else {
            throw AnalysisFailure(.limitExceeded, "Memory ran out for a frame. Choose a smaller size.")
        }
        return CapturedFrame(content: content, moment: moment)
    }

    private func timeOut(_ damagedCount: Int) -> AnalysisFailure {
        let seconds = Int(patience / .seconds(1))
        return damagedCount == 0
            ? AnalysisFailure(
                .timedOut, "The device has given no frame for \(seconds) s. Check that it is switched on.")
            : AnalysisFailure(
                .timedOut,
                "The device has given damaged frames only for \(seconds) s. Check its cable, or connect it again.")
    }

    private static let interlaced = AnalysisFailure(
        .unsupportedMedia,
        "The device gives interlaced frames, and a player may show their fields apart. Join them with another"
            + " program, for example with ffmpeg's option -vf bwdif, and pipe its output.")
    static let contradiction = AnalysisFailure(
        .decoderFailed, "The driver of the device contradicts itself. Choose another size, or another device.")
    /// The number of buffers, of which the driver fills one while another is read.
    private static let bufferCount = 4
}

extension AnalysisFailure {
    /// Turns errors of a device into failures with the remedy.
    static func ofDevice<Result>(_ body: () throws -> Result) throws(AnalysisFailure) -> Result {
        do {
            return try body()
        } catch let failure as AnalysisFailure {
            throw failure
        } catch let error as CaptureLayerError {
            throw AnalysisFailure(error)
        } catch {
            throw AnalysisFailure(.internalFailure, "The device could not be used. Please report it.", cause: error)
        }
    }

    init(_ error: CaptureLayerError) {
        switch error.number {
        case ENOENT:
            self.init(.inputUnreadable, "There is no such device. 'ls /dev/video*' shows those that there are.")
        case EACCES, EPERM:
            self.init(
                .inputUnreadable,
                "This account may not use the device. Add it to the group of the device, which is often named video.")
        case EBUSY:
            self.init(.inputUnreadable, "Another program uses the device. End that program first.")
        case ENODEV, ENXIO, ENOTTY:
            self.init(
                .inputUnreadable,
                "This is no device that captures video, or it was removed. 'ls /dev/video*' shows those that there are."
            )
        case ENOSPC:
            self.init(
                .inputUnreadable, "The bus of the device has no room left. Choose a smaller size or a lower rate.")
        case ENOMEM:
            self.init(.limitExceeded, "The system has no memory left for frames. Choose a smaller size.")
        case EOVERFLOW: self = CaptureDevice.contradiction
        case EPIPE:
            self.init(.inputUnreadable, "The device has ended its stream.")
        case let number:
            self.init(.inputUnreadable, "The device cannot be read (error \(number) of the system).")
        }
    }
}
