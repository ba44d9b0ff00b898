// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import HelperProtocol
import LiveStreams
import TestSupport
import Testing

/// Encoded live streams, which the real decoder reads from a pipe.
@Suite(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"), .timeLimit(.minutes(3)))
struct EncodedStreamTests {
    /// A container with the options of the encoder, and whether a stream may be joined in mid-stream.
    struct Container: Sendable, CustomTestStringConvertible {
        let name: String
        let format: StreamFormat
        let options: [String]
        var canBeJoined = false

        var testDescription: String { name }
    }

    static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "10"]
    static let hevc = [
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=10:bframes=0",
    ]

    static let containers = [
        Container(name: "ts", format: .transportStream, options: h264 + ["-f", "mpegts"], canBeJoined: true),
        Container(name: "mkv", format: .matroska, options: h264 + ["-f", "matroska"]),
        Container(name: "webm", format: .matroska, options: ["-c:v", "libvpx", "-g", "10", "-f", "webm"]),
        Container(name: "flv", format: .flv, options: h264 + ["-f", "flv"]),
        Container(
            name: "mp4", format: .mp4,
            options: h264 + ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-f", "mp4"]),
        Container(
            name: "ogg", format: .ogg,
            options: ["-c:v", "libtheora", "-g", "10", "-f", "ogg", "-page_duration", "100000"]),
        Container(name: "mpjpeg", format: .multipartJPEG, options: ["-c:v", "mjpeg", "-f", "mpjpeg"]),
        Container(name: "h264", format: .h264, options: h264 + ["-f", "h264"], canBeJoined: true),
        Container(name: "hevc", format: .hevc, options: hevc + ["-f", "hevc"], canBeJoined: true),
        Container(name: "ivf", format: .packets, options: ["-c:v", "libvpx", "-g", "10", "-f", "ivf"]),
        Container(name: "mjpeg", format: .automatic, options: ["-c:v", "mjpeg", "-f", "mjpeg"]),
        Container(name: "y4m", format: .y4m, options: ["-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe"]),
    ]

    /// The frames of a stream, by the luma of their centres, and how the stream ended.
    struct Outcome: Sendable {
        var levels: [UInt8] = []
        /// The luma of the upper left corners.
        var corners: [UInt8] = []
        var sizes: [[Int]] = []
        var ranges: Set<Bool> = []
        /// The frames before which parts of the stream were lost.
        var framesAfterLoss: [Int] = []
        var rates: Set<FrameRate?> = []
        var failure: AnalysisFailure?
        var hasEnded = false
    }

    static let pool = HelperPool(
        locator: HelperLocator(name: HelperKind.videoDecoder.executableName, folders: [TestFiles.products.path]),
        maximumCount: 1, settings: HelperSettings(), kind: .videoDecoder)

    /// Makes a stream of 50 frames, each brighter than the last.
    static func stream(_ container: Container, size: String = "320x180") async throws -> Data {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("stream.\(container.name)")
            try await TestVideo.make(
                file, seconds: 2, brightness: "0.1+0.016*N", size: size, container.options)
            return try Data(contentsOf: file)
        }
    }

    /// Decodes a stream that comes in pieces.
    static func decode(
        _ data: Data, _ format: StreamFormat = .automatic, pieceLength: Int = 10_000, pause: Duration = .zero,
        limits: AnalysisLimits = AnalysisLimits(), display: Display = .ours,
        keepsFirstLook: Bool = false
    ) async throws -> Outcome {
        let outcome = Shared(Outcome())
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        let decoder = try pool.decodeStream(
            StreamRequest(format: format, limits: limits, display: display, keepsFirstLook: keepsFirstLook)
        ) { event in
            outcome.change { outcome in
                switch event {
                case .frame(let frame):
                    let (width, height) = (frame.pixels.width, frame.pixels.height)
                    outcome.levels.append(frame.memory.withBytes { $0[height / 2 * width + width / 2] })
                    outcome.corners.append(frame.memory.withBytes { $0[0] })
                    if frame.followsLoss { outcome.framesAfterLoss.append(outcome.sizes.count) }
                    outcome.sizes.append([width, height])
                    outcome.ranges.insert(frame.pixels.format.isFullRange)
                    outcome.rates.insert(frame.rate)
                case .end: outcome.hasEnded = true
                case .failure(let failure): outcome.failure = failure
                }
            }
            if case .frame = event { return }
            continuation.finish()
        }
        for start in stride(from: 0, to: data.count, by: pieceLength) {
            await decoder.send([UInt8](data[start..<min(data.count, start + pieceLength)]))
            if pause > .zero { try await Task.sleep(for: pause) }
        }
        decoder.finish()
        for await _ in ends {}
        return outcome.value
    }

    @Test("Each container gives all frames in their order from a pipe", arguments: containers)
    func whole(container: Container) async throws {
        let data = try await Self.stream(container)
        for (format, display) in [(container.format, Display.ours), (.automatic, .otherViewer)] {
            let outcome = try await Self.decode(data, format, display: display)
            #expect(outcome.failure == nil && outcome.hasEnded)
            #expect(outcome.levels.count == 50 && outcome.levels == outcome.levels.sorted())
            #expect(Set(outcome.sizes) == [[320, 180]])
            #expect(outcome.framesAfterLoss.isEmpty)
        }
    }

    /// Returns a frame of 16 × 16 pixels behind a marker, whose samples begin with a text.
    private static func frame(_ marker: String = "FRAME", samples: String = "") -> Data {
        Data("\(marker)\n\(samples)".utf8) + Data(repeating: 100, count: 384 - samples.utf8.count)
    }

    @Test("A frame of Y4M brings the exact rate that the stream states, and no other container's frame does")
    func statedRate() async throws {
        for (text, rate) in [
            ("F2:1", FrameRate(frames: 2, seconds: 1)), ("F30000:1001", FrameRate(frames: 30_000, seconds: 1001)),
        ] {
            let outcome = try await Self.decode(
                Data("YUV4MPEG2 W16 H16 \(text) Ip A1:1 C420jpeg\n".utf8) + Self.frame() + Self.frame(), .y4m)
            #expect(outcome.rates == [rate] && outcome.sizes.count == 2, "\(text)")
        }
        let outcome = try await Self.decode(try await Self.stream(Self.containers[0]), .transportStream)
        #expect(outcome.rates == [nil])
    }

    @Test("A frame of Y4M is not looked for within the samples of another one")
    func damagedMarker() async throws {
        let header = Data("YUV4MPEG2 W16 H16 F10:1 Ip A1:1 C420jpeg\n".utf8)
        for display in [Display.ours, .otherViewer] {
            let outcome = try await Self.decode(
                header + Self.frame() + Self.frame("FRAMX", samples: "FRAME\n") + Self.frame(), .y4m, display: display)
            #expect(outcome.sizes.count <= 1 && outcome.failure?.code == .malformedMedia, "\(outcome)")
        }
    }

    @Test func `Packets that are lost are noted with the next frame, while the stream goes on`() async throws {
        let data = try await Self.stream(Self.containers[0])
        let middle = data.count / 188 / 2 * 188
        let outcome = try await Self.decode(
            data.prefix(middle) + data.dropFirst(middle + 5 * 188), display: .otherViewer)
        #expect(outcome.framesAfterLoss.contains { (10...40).contains($0) }, "\(outcome.framesAfterLoss)")
        #expect(outcome.failure?.code == .malformedMedia)
    }

    @Test func `Frames before the first key frame are given, because another player may show them`() async throws {
        let units = Self.containers.first { $0.name == "h264" }!
        let whole = try await Self.stream(units)
        // The parameters, and the frames behind the first key frame.
        let parts = AnnexB.units(whole)
        let kept = Data(parts.filter { AnnexB.type($0) != 5 && AnnexB.type($0) != 6 }.joined())
        for data in [kept + whole, try await Self.transportStream(kept + whole)] {
            let outcome = try await Self.decode(data, display: .otherViewer)
            #expect(outcome.failure == nil && outcome.framesAfterLoss.isEmpty, "\(outcome.framesAfterLoss)")
            // Some players hide these frames, so they are no loss if none comes.
            #expect(outcome.levels.count > 50)
        }
    }

    @Test func `A transport stream that is joined in mid-group is judged from its first key frame on`() async throws {
        let data = try await Self.stream(Self.containers[0])
        for offset in [188 * 40, 188 * 40 + 57] {
            let outcome = try await Self.decode(Data(data.dropFirst(offset)), display: .otherViewer)
            #expect(outcome.failure == nil && outcome.framesAfterLoss.isEmpty, "\(outcome.framesAfterLoss)")
            #expect(outcome.levels.count >= 25)
        }
    }

    private static func transportStream(_ units: Data) async throws -> Data {
        try await TestFiles.withFolder { folder in
            let (source, file) = (folder.appendingPathComponent("s.h264"), folder.appendingPathComponent("s.ts"))
            try units.write(to: source)
            try await TestVideo.make(
                file, ["-f", "h264", "-i", source.path, "-c", "copy", "-copyinkf", "-f", "mpegts"])
            return try Data(contentsOf: file)
        }
    }

    @Test("A stream that is cut gives the frames before the cut, and ends", arguments: containers, [0.11, 0.37, 0.734])
    func cut(container: Container, share: Double) async throws {
        let data = try await Self.stream(container)
        // Half of an Ogg file of such frames can be its headers.
        let part = container.name == "ogg" && share > 0.7 ? 0.9 : share
        let outcome = try await Self.decode(data.prefix(Int(Double(data.count) * part)))
        #expect(outcome.hasEnded || [.malformedMedia, .unsupportedMedia].contains(outcome.failure?.code))
        #expect(outcome.levels.count < 50 && outcome.levels == outcome.levels.sorted())
        if share > 0.7 { #expect(outcome.levels.count >= 25) }
    }

    @Test(
        "A stream without headers may be joined anywhere", arguments: containers.filter(\.canBeJoined), [1, 777, 5001])
    func joined(container: Container, offset: Int) async throws {
        let data = try await Self.stream(container)
        let outcome = try await Self.decode(Data(data.dropFirst(offset)))
        #expect(outcome.failure == nil && outcome.hasEnded)
        // The frames before the next key frame, and the end of the packet that was cut, are lost.
        #expect((30...50).contains(outcome.levels.count) && outcome.levels == outcome.levels.sorted())
    }

    @Test(arguments: containers.filter { !$0.canBeJoined })
    func `Other streams that are joined in the middle end with a failure`(container: Container) async throws {
        let data = try await Self.stream(container)
        let outcome = try await Self.decode(Data(data.dropFirst(1001)))
        // JPEG pictures have headers of their own.
        guard !container.name.contains("jpeg") else { return }
        #expect(outcome.failure != nil || outcome.levels.count < 50)
    }

    @Test("A stream whose bytes come one by one or with pauses gives the same frames")
    func slowly() async throws {
        let data = try await Self.stream(Self.containers[0])
        let outcome = try await Self.decode(data, pieceLength: max(1, data.count / 20), pause: .milliseconds(200))
        #expect(outcome.failure == nil && outcome.levels.count == 50)
        let few = try await Self.decode(data.prefix(30_000), pieceLength: 1)
        #expect(few.hasEnded && !few.levels.isEmpty)
    }

    @Test("Frames get the size that they have after a change of the size", arguments: [0, 7, 8])
    func changedSize(index: Int) async throws {
        let container = Self.containers[index]
        let joined = try await Self.stream(container) + Self.stream(container, size: "160x120")
        let outcome = try await Self.decode(joined)
        #expect(outcome.failure == nil && outcome.levels.count == 100)
        #expect(Set(outcome.sizes) == [[320, 180], [160, 120]])
    }

    /// Returns a transport stream that goes on with another codec behind a new table.
    private static func changedCodec(hasOtherPlace: Bool, isReversed: Bool) async throws -> Data {
        let other = Container(
            name: "ts", format: .transportStream,
            options: hevc + (hasOtherPlace ? ["-streamid", "0:512"] : []) + ["-f", "mpegts"])
        let parts = [try await stream(containers[0]), try await stream(other, size: "160x120")]
        return isReversed ? parts[1] + parts[0] : parts[0] + parts[1]
    }

    @Test(arguments: [false, true])
    func `A transport stream whose codec changes at its old place shows nothing more`(isReversed: Bool) async throws {
        // FFmpeg takes the packets for those of the first codec.
        let data = try await Self.changedCodec(hasOtherPlace: false, isReversed: isReversed)
        #expect(try await Self.decode(data).levels.count == 50)
        #expect(try await Self.decode(data, display: .otherViewer).failure?.code == .malformedMedia)
    }

    @Test("A transport stream goes on with another codec at a new place", arguments: [false, true])
    func changedCodec(isReversed: Bool) async throws {
        let data = try await Self.changedCodec(hasOtherPlace: true, isReversed: isReversed)
        let outcome = try await Self.decode(data)
        #expect(outcome.failure == nil && outcome.hasEnded)
        #expect((97...100).contains(outcome.levels.count))
        #expect(outcome.sizes.count { $0 == [320, 180] } >= 48 && outcome.sizes.count { $0 == [160, 120] } >= 48)
        let ofOtherPlayer = try await Self.decode(data, display: .otherViewer)
        #expect(ofOtherPlayer.failure != nil || ofOtherPlayer.levels.count == 100)
    }

    @Test("Frames are upright before and after a change of the rotation", arguments: [0, 7])
    func changedRotation(index: Int) async throws {
        let container = Self.containers[index]
        let turned = Container(
            name: container.name, format: container.format,
            options: ["-bsf:v", "h264_metadata=display_orientation=insert:rotate=90"] + container.options)
        let data = try await Self.stream(container) + Self.stream(turned)
        let outcome = try await Self.decode(data)
        #expect(outcome.failure == nil && outcome.levels.count == 100)
        #expect(outcome.sizes.prefix(50).allSatisfy { $0 == [320, 180] })
        #expect(outcome.sizes.suffix(50).allSatisfy { $0 == [180, 320] }, "\(outcome.sizes.map { $0[0] })")
        // Players differ in the frames that they turn.
        #expect(try await Self.decode(data, display: .otherViewer).failure?.code == .ambiguousMedia)
    }

    @Test("A stream that stalls for longer than a decoder may take goes on, in each container")
    func stalled() async throws {
        let stall = Duration.seconds(Campaign.isRunning ? 30 : 11)
        try await withThrowingTaskGroup(of: (String, Outcome).self) { group in
            for container in Self.containers {
                let data = try await Self.stream(container)
                group.addTask {
                    let half = data.count / 2
                    return (container.name, try await Self.decode(data, pieceLength: half + 1, pause: stall))
                }
            }
            for try await (name, outcome) in group {
                let failure = outcome.failure?.message ?? "no failure"
                #expect(
                    outcome.failure == nil && outcome.levels.count == 50,
                    "\(name): \(outcome.levels.count), \(failure)")
            }
        }
    }

    @Test("Frames of one size keep it after a change, between black bars", arguments: ["160x120", "90x320", "642x360"])
    func oneSize(size: String) async throws {
        let container = Self.containers[0]
        let joined = try await Self.stream(container) + Self.stream(container, size: size)
        let outcome = try await Self.decode(joined, keepsFirstLook: true)
        #expect(outcome.failure == nil && outcome.levels.count == 100)
        #expect(Set(outcome.sizes) == [[320, 180]])
        // The centres keep their levels, and the corners of narrower frames are black.
        for (first, second) in zip(outcome.levels[..<50], outcome.levels[50...]) {
            #expect(abs(Int(first) - Int(second)) <= 3)
        }
        let hasBars = size != "642x360"
        #expect(outcome.corners[50...].allSatisfy { ($0 <= 17) == hasBars })
        #expect(outcome.corners[30..<50].allSatisfy { $0 > 17 })
    }

    @Test func `A first frame of a few pixels does not make the others too small to be judged`() async throws {
        let container = Self.containers[0]
        let joined = try await Self.stream(container, size: "32x32") + Self.stream(container, size: "640x360")
        let outcome = try await Self.decode(joined, keepsFirstLook: true)
        #expect(outcome.failure?.code == .unsupportedMedia && Set(outcome.sizes) == [[32, 32]])
    }

    @Test("Frames of one size keep the range of the first frame") func oneRange() async throws {
        let container = Self.containers[10]
        let pictures = try await Self.stream(container)
        let limited = try await Self.stream(
            Container(
                name: "mjpeg", format: .automatic,
                options: container.options + ["-color_range", "tv", "-strict", "unofficial"]))
        let outcome = try await Self.decode(pictures + limited, keepsFirstLook: true)
        #expect(outcome.failure == nil && outcome.ranges.count == 1)
        #expect(outcome.levels.count == 100)
    }

    @Test("A frame that exceeds the limits ends the stream with a failure") func limits() async throws {
        let limits = AnalysisLimits { $0.maximumPixelCount = 320 * 180 - 1 }
        let outcome = try await Self.decode(try await Self.stream(Self.containers[0]), limits: limits)
        #expect(outcome.levels.isEmpty && outcome.failure?.code == .limitExceeded)
    }

    /// Makes a stream of two videos, one dark and one bright, and returns its bytes.
    private static func twoVideos() async throws -> Data {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("two.ts")
            let sources = ["black", "white"].flatMap { ["-f", "lavfi", "-i", "color=\($0):s=64x36:r=25:d=2"] }
            try await TestVideo.make(file, sources + ["-map", "0", "-map", "1"] + h264 + ["-f", "mpegts"])
            return try Data(contentsOf: file)
        }
    }

    @Test("Of two videos one is displayed, and a stream for other players fails") func severalVideos() async throws {
        let data = try await Self.twoVideos()
        let own = try await Self.decode(data)
        #expect(own.failure == nil && own.levels.count == 50 && Set(own.levels).count == 1)
        #expect(try await Self.decode(data, display: .otherViewer).failure?.code == .unsupportedMedia)
    }

    @Test("A transport stream behind the header of another format is no stream of either") func twoFormats()
        async throws
    {
        let picture = try Data(contentsOf: TestFiles.fixtures.appendingPathComponent("plain/plain.jpg"))
        let stream = try await Self.stream(Self.containers[0])
        for header in [picture.prefix(300), Data("FLV".utf8), Data("OggS".utf8), Data("DKIF".utf8)] {
            let outcome = try await Self.decode(header + stream)
            #expect(outcome.levels.isEmpty && outcome.failure?.code == .ambiguousMedia)
        }
    }

    @Test(arguments: ["mp4", "webm", "ogg"])
    func `A stream behind the end of another one is not passed over`(_ name: String) async throws {
        let container = Self.containers.first { $0.name == name }!
        let data = try await Self.stream(container) + Self.stream(container, size: "160x120")
        let outcome = try await Self.decode(data, display: .otherViewer)
        #expect(outcome.failure != nil || outcome.levels.count == 100)
    }

    @Test("A stream from which packets are lost fails for other players, and plays on for the app") func losses()
        async throws
    {
        var data = try await Self.stream(Self.containers[0])
        let middle = data.count / 188 / 2 * 188
        data.removeSubrange(middle..<(middle + 188 * 3))
        let own = try await Self.decode(data)
        #expect(own.failure == nil && own.levels.count > 30)
        #expect(try await Self.decode(data, display: .otherViewer).failure?.code == .malformedMedia)
    }

    @Test("A stream whose frames cannot be decoded any more ends with a failure") func undecodable() async throws {
        // Frames of more pixels follow than are allowed.
        let limits = AnalysisLimits { $0.maximumPixelCount = 320 * 180 }
        let joined = try await Self.stream(Self.containers[7]) + Self.stream(Self.containers[7], size: "640x360")
        let outcome = try await Self.decode(joined, limits: limits)
        #expect(outcome.levels.count == 50 && outcome.failure != nil)
    }

    @Test("A stream without pictures, and one that is no stream, end with a failure") func noStream() async throws {
        let sound = try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("sound.ts")
            try await TestVideo.make(
                file, ["-f", "lavfi", "-i", "sine=d=2", "-c:a", "aac", "-f", "mpegts"])
            return try Data(contentsOf: file)
        }
        for data in [sound, Data(repeating: 7, count: 100_000), Data("text".utf8), Data()] {
            let outcome = try await Self.decode(data)
            #expect(outcome.levels.isEmpty && outcome.failure?.code == .unsupportedMedia)
        }
    }
}
