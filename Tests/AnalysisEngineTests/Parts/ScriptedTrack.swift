// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport

@testable import AnalysisEngine
@testable import HelperHost

/// A track with the events and answers of a decoder that a test gives.
struct ScriptedTrack: TrackFrames {
    /// A request that the walk sent to the track.
    enum Question: Equatable {
        case next
        case look(at: Duration)
    }

    /// The script works all the time.
    var work: Duration { WorkClock.awakeTime() }

    private let events: Shared<[OpenMedia.Event]>
    private let questions = Shared<[Question]>([])
    private let answerLook: @Sendable (Duration) throws -> OpenMedia.Event

    /// - Parameter answerLook: returns the event for a moment; by default a dark frame of 40 milliseconds.
    init(
        _ events: [OpenMedia.Event],
        answerLook: @escaping @Sendable (Duration) throws -> OpenMedia.Event = { try frame(25, at: $0) }
    ) {
        self.events = Shared(events)
        self.answerLook = answerLook
    }

    var asked: [Question] { questions.value }
    var looks: [Duration] {
        asked.compactMap { if case .look(let moment) = $0 { moment } else { nil } }
    }
    /// The number of events that the walk did not request.
    var restCount: Int { events.value.count }

    func next() async throws -> OpenMedia.Event {
        questions.change { $0.append(.next) }
        let rest = events.value
        guard let event = rest.first else { throw NothingLeft() }
        events.change { $0.removeFirst() }
        return event
    }

    func frame(shownAt moment: Duration) async throws -> OpenMedia.Event {
        questions.change { $0.append(.look(at: moment)) }
        return try answerLook(moment)
    }

    /// The error if the walk requests more events than the test gave.
    struct NothingLeft: Error {}

    /// A picture of one grey pixel; the model of these tests returns its level divided by 255.
    static func picture(_ level: UInt8, isDamaged: Bool = false) throws -> DecodedPicture {
        let memory = try PixelMemory()
        guard try MappedPixelMemory(memory.descriptor, isForAnswers: true).write([[level, level, level]]) else {
            throw NothingLeft()
        }
        let reply = ImageReply(
            format: .video, originalWidth: 1, originalHeight: 1,
            pixels: PixelDescription(width: 1, height: 1, bytesPerRow: 3), viewCount: 1, testPatterns: [],
            isDamaged: isDamaged)
        let request = ImageRequest(minimumWidth: 256, minimumHeight: 256, limits: AnalysisLimits())
        return try DecodedPicture(reply, memory, answering: request)
    }

    /// A frame in the grid of 40 milliseconds that contains a moment or, with a length, a frame from that moment on.
    static func frame(
        _ level: UInt8, at moment: Duration, length: Duration? = nil, isDamaged: Bool = false
    ) throws -> OpenMedia.Event {
        let start = length == nil ? .milliseconds(40) * Int(moment / .milliseconds(40)) : moment
        return .frame(
            try picture(level, isDamaged: isDamaged), start: start, end: start + (length ?? .milliseconds(40)))
    }

    static func end(_ reason: TrackEnd.Reason = .end, duration: Duration = .seconds(10)) -> OpenMedia.Event {
        .end(OpenMedia.End(duration: duration, decodedFrameCount: 0, longestUnseen: .zero, reason: reason))
    }
}

extension TrackWalk {
    /// Creates a walk through a scripted track of ten seconds, under the policy for adults.
    init(
        _ track: ScriptedTrack, isComplete: Bool = false, isTimed: Bool = true, stopsEarly: Bool = true,
        locatesEdges: Bool = false, concurrency: Int = 1, longestStall: Duration = .seconds(3600),
        score: @escaping @Sendable (PixelImage) throws -> Float = AnalysisEngineTests.brightness
    ) {
        let opened = OpenMedia.Track(isTimed: isTimed, isComplete: isComplete, duration: isTimed ? .seconds(10) : nil)
        self.init(
            media: track, analysis: TrackAnalysis(opened, policy: .simple, keepsTimeline: !stopsEarly),
            scorer: FrameScorer(model: ScriptedModel(score: score), keepsThumbnails: false),
            concurrency: concurrency, stopsEarly: stopsEarly, isComplete: isComplete, locatesEdges: locatesEdges,
            longestStall: longestStall)
    }

    var isSensitive: Bool { !analysis.detectedTypes.isEmpty }
}
