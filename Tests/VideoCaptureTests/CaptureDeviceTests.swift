// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Glibc
import HelperProtocol
import TestSupport
import Testing
import VideoCapture

@Suite("A capture device")
struct CaptureDeviceTests {
    private static let yuyv = CaptureEncoding.code("YUYV")
    private static let jpeg = CaptureEncoding.code("MJPG")

    /// A camera of 4 × 2 pixels in YUYV.
    private static func script(_ frames: [FakeCaptureLayer.Frame] = []) -> FakeCaptureLayer.Script {
        var script = FakeCaptureLayer.Script()
        script.formats = [(CaptureFormat(width: 4, height: 2, code: yuyv, bytesPerRow: 12), 30)]
        script.frames = frames
        return script
    }

    private static let wish = CaptureWish(width: 4, height: 2)

    /// Captures until the script is over, and returns the frames and the failure.
    private func capture(
        _ layer: FakeCaptureLayer, frames most: Int = .max, patience: Duration = .milliseconds(200)
    ) throws -> (frames: [CapturedFrame], failure: AnalysisFailure?) {
        let device = try CaptureDevice(layer, Self.wish, patience: patience)
        var frames: [CapturedFrame] = []
        do throws(AnalysisFailure) {
            try device.run {
                frames.count < most
            } receive: {
                frames.append($0)
            }
            return (frames, nil)
        } catch {
            return (frames, error)
        }
    }

    private func levels(_ frame: CapturedFrame) throws -> [UInt8] {
        guard case .planes(let pixels, let memory) = frame.content else { throw WrongContent() }
        #expect((pixels.width, pixels.height) == (4, 2))
        return memory.withBytes { [UInt8]($0) }
    }

    private struct WrongContent: Error {}

    /// Rows of 8 bytes and 4 bytes of padding, with luma from this number on.
    private static func bytes(_ luma: UInt8) -> [UInt8] {
        (0..<2).flatMap { (row: UInt8) -> [UInt8] in
            let first = luma + row * 4
            return [first, 100 + row * 2, first + 1, 200, first + 2, 60, first + 3, 50 + row * 3, 9, 9, 9, 9]
        }
    }

    @Test func `Frames are copied without their padding, with the mean colours of two rows`() throws {
        let layer = FakeCaptureLayer(
            Self.script([
                .init(bytes: Self.bytes(20), moment: .seconds(7)),
                .init(bytes: Self.bytes(40), moment: .milliseconds(7500)),
            ])
        )
        let (frames, failure) = try capture(layer, frames: 2)
        #expect(failure == nil)
        #expect(
            try frames.map(levels)
                == [20, 40].map { first in
                    (0..<8).map { first + $0 } + [101, 60] + [200, 52]
                })
        #expect(frames.map(\.moment) == [.zero, .milliseconds(500)])
        #expect(layer.current.violations == [])
        #expect(layer.current.stopCount == 1)
    }

    @Test func `A hundred frames go through four buffers in the order of the kernel`() throws {
        let layer = FakeCaptureLayer(Self.script(.init(repeating: .init(bytes: Self.bytes(20)), count: 100)))
        let (frames, failure) = try capture(layer, frames: 100)
        #expect(frames.count == 100)
        #expect(failure == nil)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.moment <= $1.moment })
        #expect(layer.current.violations == [])
    }

    @Test func `Short, damaged and empty frames are left out, and their buffers are given back`() throws {
        let good = FakeCaptureLayer.Frame(bytes: Self.bytes(20))
        let short = FakeCaptureLayer.Frame(bytes: Array(Self.bytes(20).prefix(19)))
        let damaged = FakeCaptureLayer.Frame(bytes: Self.bytes(20), isDamaged: true)
        let lost = FakeCaptureLayer.Frame(error: CaptureLayerError(EIO))
        let layer = FakeCaptureLayer(Self.script([short, damaged, .init(), lost, short, damaged, good, lost, good]))
        let (frames, failure) = try capture(layer, frames: 2)
        #expect(frames.count == 2)
        #expect(failure == nil)
        #expect(layer.current.violations == [])
    }

    @Test func `A frame of one field, and a format that another program has changed, end the capture`() throws {
        let field = FakeCaptureLayer(Self.script([.init(bytes: Self.bytes(20), isWhole: false)]))
        #expect(try capture(field).failure?.code == .unsupportedMedia)
        var script = Self.script([.init(bytes: Self.bytes(20))])
        script.formatInForce = CaptureFormat(width: 2, height: 4, code: Self.yuyv, bytesPerRow: 12)
        let changed = try capture(FakeCaptureLayer(script))
        #expect(changed.frames.isEmpty && changed.failure?.code == .decoderFailed)
    }

    @Test func `A time of the driver that is far from the arrival of its frame is not believed`() throws {
        let moments: [Duration] = [.seconds(7), .seconds(3607), .seconds(7), .seconds(-9), .milliseconds(7100)]
        let layer = FakeCaptureLayer(Self.script(moments.map { .init(bytes: Self.bytes(20), moment: $0) }))
        let times = try capture(layer, frames: 5).frames.map(\.moment)
        #expect(times.allSatisfy { $0 <= .seconds(1) })
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(times.last! >= .milliseconds(100))
    }

    @Test func `A JPEG picture that is longer than its pixels allow is left out`() throws {
        var script = Self.script([.init(count: 200_000), .init(count: 50_000)])
        script.formats = [(CaptureFormat(width: 4, height: 2, code: Self.jpeg), 30)]
        script.bufferLengths = [200_000, 200_000]
        let frames = try capture(FakeCaptureLayer(script), frames: 1).frames
        guard case .jpeg(let bytes)? = frames.first?.content else { throw WrongContent() }
        #expect(bytes.count == 50_000)
    }

    @Test func `The last row of a frame needs no padding`() throws {
        let layer = FakeCaptureLayer(Self.script([.init(bytes: Array(Self.bytes(20).prefix(20)))]))
        #expect(try capture(layer, frames: 1).frames.count == 1)
    }

    @Test("A device without frames fails in time, and says whether frames were damaged")
    func silenceFails() throws {
        let silent = try capture(FakeCaptureLayer(Self.script()))
        #expect(silent.failure?.code == .timedOut)
        #expect(silent.failure?.message.contains("no frame") == true)
        let damaged = FakeCaptureLayer.Frame(bytes: Self.bytes(20), isDamaged: true)
        let broken = try capture(FakeCaptureLayer(Self.script([damaged])))
        #expect(broken.failure?.code == .timedOut)
        #expect(broken.failure?.message.contains("damaged") == true)
    }

    @Test("A removed device is a failure after its last frame", arguments: [ENODEV, EPIPE, EINVAL])
    func removalFails(number: Int32) throws {
        var script = Self.script([.init(bytes: Self.bytes(20))])
        script.endsWith = CaptureLayerError(number)
        let layer = FakeCaptureLayer(script)
        let (frames, failure) = try capture(layer, patience: .seconds(60))
        #expect(frames.count == 1)
        #expect(failure?.code == .inputUnreadable)
        #expect(layer.current.stopCount == 1)
    }

    @Test(
        "Impossible numbers of a driver are a failure, and no memory outside of a buffer is read",
        arguments: [
            FakeCaptureLayer.Frame(bytes: bytes(20), count: 4097), .init(bytes: bytes(20), index: 4),
            .init(bytes: bytes(20), index: -1), .init(bytes: bytes(20), index: .max),
        ])
    func liesFail(frame: FakeCaptureLayer.Frame) throws {
        let (frames, failure) = try capture(FakeCaptureLayer(Self.script([frame])), patience: .seconds(60))
        #expect(frames.isEmpty)
        #expect(failure?.code == .decoderFailed)
    }

    @Test(arguments: [[], [4096], [4096, 19], [0, 0, 0, 0]])
    func `Buffers that are too few or too short are a failure`(lengths: [Int]) throws {
        var script = Self.script([.init(bytes: Self.bytes(20))])
        script.bufferLengths = lengths
        let (frames, failure) = try capture(FakeCaptureLayer(script))
        #expect(frames.isEmpty)
        #expect(failure?.code == .decoderFailed)
    }

    @Test(arguments: [
        (CaptureFormat(width: 4, height: 2, code: yuyv, bytesPerRow: 7), AnalysisFailure.Code.decoderFailed),
        (CaptureFormat(width: 4, height: 2, code: yuyv, bytesPerRow: 1 << 40), .decoderFailed),
        (CaptureFormat(width: 0, height: 2, code: yuyv, bytesPerRow: 12), .decoderFailed),
        (CaptureFormat(width: 40_000, height: 2, code: yuyv, bytesPerRow: 80_000), .limitExceeded),
        (CaptureFormat(width: 4, height: 4_294_967_295, code: yuyv, bytesPerRow: 12), .limitExceeded),
        (CaptureFormat(width: 4, height: 2, code: yuyv, bytesPerRow: 12, isProgressive: false), .unsupportedMedia),
    ])
    func `Impossible formats are refused before any buffer is made`(format: CaptureFormat, code: AnalysisFailure.Code) {
        var script = Self.script()
        script.formats = [(format, 30)]
        let layer = FakeCaptureLayer(script)
        #expect(throws: AnalysisFailure.self) { try CaptureDevice(layer, Self.wish) }
        let failure = #expect(throws: AnalysisFailure.self) { try CaptureDevice(FakeCaptureLayer(script), Self.wish) }
        #expect(failure?.code == code)
        #expect(layer.current.buffers.isEmpty)
    }

    @Test(arguments: [EACCES, EBUSY, ENODEV, ENOENT, ENOMEM, ENOSPC, ENOTTY, EPERM, EINVAL])
    func `Errors of the system become failures with a remedy`(number: Int32) {
        var script = Self.script()
        script.settingFails = CaptureLayerError(number)
        let failure = #expect(throws: AnalysisFailure.self) { try CaptureDevice(FakeCaptureLayer(script), Self.wish) }
        #expect(failure?.code == (number == ENOMEM ? .limitExceeded : .inputUnreadable))
        #expect(failure?.message.hasSuffix(".") == true)
    }

    @Test func `A device that captures no video, or has no known format, is refused`() {
        var script = Self.script()
        script.capturesVideo = .success(false)
        let failure = #expect(throws: AnalysisFailure.self) { try CaptureDevice(FakeCaptureLayer(script)) }
        #expect(failure?.code == .inputUnreadable)
        script.capturesVideo = .success(true)
        script.formats = [(CaptureFormat(width: 4, height: 2, code: CaptureEncoding.code("GREY")), 30)]
        let unknown = #expect(throws: AnalysisFailure.self) { try CaptureDevice(FakeCaptureLayer(script)) }
        #expect(unknown?.code == .unsupportedMedia)
    }

    @Test func `Frames without compression are taken at the full rate, and JPEG where they are slow`() throws {
        let raw = CaptureFormat(width: 1280, height: 720, code: Self.yuyv, bytesPerRow: 2560)
        let jpeg = CaptureFormat(width: 1280, height: 720, code: Self.jpeg)
        for (rawRate, jpegRate, expected) in [
            (30.0, 30.0, CaptureEncoding.yuyv), (10, 30, .jpeg), (10, 5, .yuyv), (5, 5, .yuyv),
        ] {
            let layer = RatedLayer([(raw, rawRate), (jpeg, jpegRate)])
            #expect(try CaptureDevice(layer).encoding == expected)
            #expect(layer.lastCode == (expected == .jpeg ? Self.jpeg : Self.yuyv))
        }
    }

    @Test func `Pictures of a JPEG camera are passed on whole`() throws {
        var script = Self.script([.init(bytes: [1, 2, 3]), .init(), .init(bytes: [4])])
        script.formats = [(CaptureFormat(width: 4, height: 2, code: Self.jpeg), 30)]
        let frames = try capture(FakeCaptureLayer(script), frames: 2).frames
        let pictures = frames.map { frame in if case .jpeg(let bytes) = frame.content { bytes } else { [UInt8]() } }
        #expect(pictures == [[1, 2, 3], [4]])
    }
}
