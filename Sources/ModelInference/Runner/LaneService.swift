// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import Glibc
internal import HelperProtocol

/// Replies to the requests of one connection to the host, one after the other.
final class LaneService: @unchecked Sendable {
    // @unchecked: only the lane's own thread uses the mutable state, apart from uses before that thread starts.

    private let lane: RunnerIntake.Lane
    private let inference: InferenceLane
    private let expected: KnownAnswers?
    private let activity: RunnerActivity
    /// For each view of the last picture, the score of each label.
    private var labelScores: [[Float]] = []
    /// For each view of the last picture, the pictures inside it; empty if they were not searched.
    private var innerPictures: [[InnerPicture]] = []
    /// For each view of the last picture, the scores of its places; empty if the picture was not searched.
    private var placeScores: [PlaceScores?] = []
    private let finder: InnerPictureFinder
    private var schedule = CheckSchedule(checkedAt: ContinuousClock.now)

    init(
        lane: RunnerIntake.Lane, inference: InferenceLane, input: ModelInput, outputs: [ModelOutputPlace],
        expected: KnownAnswers?, activity: RunnerActivity
    ) {
        self.lane = lane
        self.inference = inference
        self.expected = expected
        self.activity = activity
        finder = InnerPictureFinder(input: input, outputs: outputs)
    }

    /// Whether the labels of the last view have scores from 0 to 1, or there are none.
    var areLabelScoresValid: Bool { inference.labelScores.allSatisfy { $0 >= 0 && $0 <= 1 } }

    var socketNumber: Int32 { lane.socket.number }

    /// Returns the scores of some of the known drawings; the keys are indices in `KnownDrawing.all`.
    func scores(ofDrawings tensors: [Int: [Float]]) throws(ModelFailure) -> [Int: [Float]] {
        var scores: [Int: [Float]] = [:]
        for (place, tensor) in tensors { scores[place] = try inference.scores(ofTensor: tensor) }
        return scores
    }

    /// Replies to the greeting, and then to requests until the host is gone or silent, or a score is unreliable.
    ///
    /// - Parameter report: the report on the model, which only the first connection sends after the greeting; else nil.
    func run(greeting sandbox: SandboxReport, libraryVersion: String, report: ModelLoadReport? = nil) {
        do {
            let identity = HelperIdentity(library: "OpenVINO \(libraryVersion)", sandbox: sandbox)
            try send(.hello(identity), 0)
            if let report { try send(.modelLoaded(report), 0) }
            schedule.noteCheck(at: .now)
            while try answerNext() {}
        } catch {
            // The host is gone, or violates the protocol.
        }
        // The process ends when one lane ends. The host then sees every socket closed.
        _exit(0)
    }

    private func send(_ reply: HelperReply, _ serial: UInt64) throws {
        try lane.socket.send(reply.encoded(answering: serial))
    }

    /// Replies to the next request, and returns whether to continue.
    private func answerNext() throws -> Bool {
        let (bytes, attachment): ([UInt8], OwnedDescriptor?)
        do {
            (bytes, attachment) = try lane.socket.receive(within: RunnerActivity.idleMilliseconds)
        } catch TransportError.timedOut {
            return !activity.isIdle(at: .now)
        }
        activity.note(at: .now)
        let serial = try MessageHeader(of: bytes).serial
        do {
            try send(try reply(to: try ModelRequest(decoding: bytes), attachment), serial)
            return true
        } catch let failure as ModelFailure {
            try send(.modelFailure(failure), serial)
            return failure.reason == .tooLarge
        }
    }

    private func reply(to request: ModelRequest, _ attachment: OwnedDescriptor?) throws -> HelperReply {
        switch request {
        case .labelScores(let view, let first):
            guard Int(view) < labelScores.count else { throw RunnerIntake.Invalid() }
            return .labelScores(
                Array(labelScores[Int(view)].dropFirst(Int(first)).prefix(HelperReply.maximumLabelCount)))
        case .innerPictures(let view):
            guard Int(view) < innerPictures.count else { throw RunnerIntake.Invalid() }
            return .innerPictures(innerPictures[Int(view)])
        case .placeScores(let view):
            guard Int(view) < placeScores.count else { throw RunnerIntake.Invalid() }
            return .placeScores(placeScores[Int(view)])
        default: return .scores(try scores(request, attachment))
        }
    }

    private func scores(_ request: ModelRequest, _ attachment: OwnedDescriptor?) throws -> [[Float]] {
        (labelScores, innerPictures, placeScores) = ([], [], [])
        try checkDrawings()
        schedule.notePicture()
        switch request {
        case .scoreViews(let description, let search): return try scores(of: try views(description), search)
        case .scorePixels(let layout, let search):
            guard let attachment else { throw RunnerIntake.Invalid() }
            guard let memory = try? SealedMemory(mapping: attachment),
                let views = PictureView.views(of: layout, in: memory)
            else { throw ModelFailure(.tooLarge, "no room") }
            return try scores(of: views, search)
        default: throw RunnerIntake.Invalid()
        }
    }

    private func scores(of views: [PictureView], _ search: InnerPictureSearch?) throws -> [[Float]] {
        try views.map { view in
            let scores = try inference.scores(of: view)
            labelScores.append(inference.labelScores)
            guard let search else { return scores }
            let maps = try inference.maps(agreeingWith: scores)
            placeScores.append(finder.placeScores(of: view, maps: maps))
            innerPictures.append(
                try finder.innerPictures(of: view, maps: maps, search) { part throws(ModelFailure) in
                    schedule.notePicture()
                    return try inference.scores(of: part)
                })
            return scores
        }
    }

    private func views(_ description: ViewsDescription) throws -> [PictureView] {
        let pixels = description.pixels
        let viewSize = Int(pixels.bytesPerRow) * Int(pixels.height)
        return try (0..<Int(description.count)).map { index in
            PictureView(
                try PixelImage(
                    width: Int(pixels.width), height: Int(pixels.height), bytesPerRow: Int(pixels.bytesPerRow),
                    offset: index * viewSize, storage: lane.memory,
                    originalSize: (Int(description.originalWidth), Int(description.originalHeight))))
        }
    }

    /// Scores the known drawings again if a check is due.
    private func checkDrawings() throws(ModelFailure) {
        guard let expected, schedule.isDue(at: .now) else { return }
        // The drawings are drawn and resampled again, so that the resampler is checked as well.
        var scores: [[Float]] = []
        for drawing in KnownDrawing.all { scores.append(try inference.scores(of: drawing.view)) }
        guard expected.agree(with: scores) else { throw Self.wrongAnswer(scores, expected) }
        schedule.noteCheck(at: .now)
    }

    static func wrongAnswer(_ scores: [[Float]], _ expected: KnownAnswers) -> ModelFailure {
        func text(_ scores: [[Float]]) -> String { scores.map(\.description).joined(separator: " and ") }
        return ModelFailure(.wrongAnswer, "\(text(scores)) instead of \(text(expected.scores))")
    }
}
