// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import Glibc
import LiveStreams
import TestSupport
import Testing
import VideoCapture

@testable import SensitiveContentAnalysis

/// Captures from a device without hardware, with verdicts by the brightness of frames.
@Suite(.timeLimit(.minutes(2)))
struct CaptureDeviceInputTests {
    let script = ScriptedStreamSource()

    private typealias Input = SCVideoStreamAnalyzer.CaptureDeviceInput

    private func analyzer(_ camera: FakeCaptureLayer?) throws -> SCVideoStreamAnalyzer {
        try SCVideoStreamAnalyzer.scripted(script, service: StreamService(laneCount: 2), camera: camera)
    }

    /// A camera of 64 × 36 pixels, which gives dark frames and then bright ones, thirty in a second.
    private func camera(
        dark: Int = 30, bright: Int, endsWith error: CaptureLayerError? = nil
    ) -> FakeCaptureLayer {
        func frame(_ level: UInt8) -> FakeCaptureLayer.Frame {
            .init(bytes: [UInt8](repeating: level, count: 64 * 36) + [UInt8](repeating: 128, count: 64 * 18))
        }
        var script = FakeCaptureLayer.Script()
        script.formats = [
            (CaptureFormat(width: 64, height: 36, code: CaptureEncoding.code("NV12"), bytesPerRow: 64), 30)
        ]
        script.frames = .init(repeating: frame(40), count: dark) + .init(repeating: frame(235), count: bright)
        script.endsWith = error
        script.interval = .milliseconds(33)
        return FakeCaptureLayer(script)
    }

    @Test func `Pictures of a camera are blank after a finding, until the person accepts the content`() async throws {
        let camera = camera(bright: 600)
        let (analyzer, input) = (try analyzer(camera), Input(devicePath: "/dev/video0", width: 64, height: 36))
        try analyzer.beginAnalysis(of: input)
        var (frames, blanks) = (0, 0)
        for await picture in input.pictures {
            switch picture {
            case .frame(let frame):
                #expect(frame.width == 64 && frame.height == 36 && frame.pixelFormat == .i420VideoRange)
                frames += 1
                if blanks > 0 { break }
            case .blank(let width, let height):
                #expect(width == 64 && height == 36)
                blanks += 1
                if blanks == 5 { analyzer.continueStreamAcceptingContent() }
                continue
            }
            if blanks > 0 { break }
        }
        #expect(frames > 10)
        #expect(blanks >= 5)
        analyzer.endAnalysis()
    }

    @Test("With a gate, no bright frame of a camera is displayed")
    func gate() async throws {
        let (analyzer, input) = (
            try analyzer(camera(bright: 30, endsWith: CaptureLayerError(ENODEV))), Input(devicePath: "/dev/video0")
        )
        let gate = try analyzer.gate(delay: .milliseconds(250))
        try analyzer.beginAnalysis(of: input)
        var (frames, blanks) = (0, 0)
        for await picture in input.pictures {
            switch picture {
            case .frame(let frame):
                #expect(frame.withPlane(0) { $0[0] } == 40)
                frames += 1
            case .blank: blanks += 1
            }
        }
        // A reader that is slower than the camera misses pictures, so their number depends on the machine's load.
        #expect(frames > 0 && blanks > 0, "\(frames) frames, \(blanks) blanks")
        withExtendedLifetime(gate) {}
    }

    @Test("A removed camera ends the changes with an error, and the stream is unknown")
    func removal() async throws {
        let camera = camera(dark: 5, bright: 0, endsWith: CaptureLayerError(ENODEV))
        let (analyzer, input) = (try analyzer(camera), Input(devicePath: "/dev/video0"))
        try analyzer.beginAnalysis(of: input)
        let error = await #expect(throws: SensitivityAnalysisError.self) {
            for try await _ in analyzer.analysisChanges {}
        }
        #expect(error?.code == .inputUnreadable)
        for await _ in input.pictures {}
        guard case .unknown(.analysisFailed(.inputUnreadable)) = analyzer.state.kind else {
            Issue.record("the state is \(analyzer.state.kind)")
            return
        }
        #expect(camera.current.stopCount == 1)
    }

    @Test("The end of the analysis closes the camera, and ends the pictures")
    func end() async throws {
        let camera = camera(dark: 600, bright: 0)
        let (analyzer, input) = (try analyzer(camera), Input(devicePath: "/dev/video0"))
        try analyzer.beginAnalysis(of: input)
        for await _ in input.pictures { break }
        analyzer.endAnalysis()
        for await _ in input.pictures {}
        while camera.current.stopCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(camera.current.isStreaming == false)
        #expect(camera.current.violations == [])
    }

    @Test("A released input closes the camera")
    func release() async throws {
        let camera = camera(dark: 600, bright: 0)
        let analyzer = try analyzer(camera)
        do {
            let input = Input(devicePath: "/dev/video0")
            try analyzer.beginAnalysis(of: input)
            for await _ in input.pictures { break }
        }
        while camera.current.stopCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("An input is analysed once, and a second call is refused")
    func misuse() throws {
        let (analyzer, input) = (try analyzer(camera(dark: 600, bright: 0)), Input(devicePath: "/dev/video0"))
        try analyzer.beginAnalysis(of: input)
        let error = #expect(throws: SensitivityAnalysisError.self) { try analyzer.beginAnalysis(of: input) }
        #expect(error?.code == .invalidArgument)
        analyzer.endAnalysis()
    }

    @Test(
        "JPEG pictures of a camera are decoded apart from the app",
        .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func jpeg() async throws {
        let pictures = try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("camera.avi")
            try await TestVideo.make(
                file, seconds: 1, brightness: "0.2", size: "64x36", ["-c:v", "mjpeg", "-f", "mjpeg"])
            return try Data(contentsOf: file)
        }
        var script = FakeCaptureLayer.Script()
        script.formats = [(CaptureFormat(width: 64, height: 36, code: CaptureEncoding.code("MJPG")), 30)]
        script.frames = pictures.jpegPictures.map { .init(bytes: $0) }
        script.bufferLengths = .init(repeating: pictures.count, count: 4)
        script.interval = .milliseconds(33)
        try #require(script.frames.count > 5)
        let (analyzer, input) = (try analyzer(FakeCaptureLayer(script)), Input(devicePath: "/dev/video0"))
        try analyzer.beginAnalysis(of: input)
        var count = 0
        for await picture in input.pictures {
            guard case .frame(let frame) = picture else { continue }
            #expect(frame.width == 64 && frame.height == 36)
            count += 1
            if count == 3 { break }
        }
        #expect(count == 3)
        analyzer.endAnalysis()
    }
}

extension Data {
    /// The pictures of a stream of JPEG pictures.
    fileprivate var jpegPictures: [[UInt8]] {
        var pictures: [[UInt8]] = []
        for byte in self {
            if pictures.isEmpty || pictures[pictures.count - 1].suffix(2) == [0xFF, 0xD9] { pictures.append([]) }
            pictures[pictures.count - 1].append(byte)
        }
        return pictures
    }
}
