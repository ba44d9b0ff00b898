// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol

/// A loaded model, with one thread for each connection to the host.
final class LoadedRunner: Sendable {
    private let services: [LaneService]
    private let gates: [BoundedChannel<SandboxReport>]
    let report: ModelLoadReport
    private let libraryVersion: String

    /// Loads the model, starts all threads, and scores the known drawings on them, which also prepares the threads.
    ///
    /// - Parameter limitMemory: bounds the memory that the process may add, in bytes.
    /// - Throws: `ModelFailure`.
    init(_ intake: RunnerIntake, limitMemory: (Int) -> Void) throws(ModelFailure) {
        let setup = intake.setup
        let prepared = BoundedChannel<[[Float]]>(capacity: 1)
        let model = try OpenVINOModel(
            intake.source, input: setup.input, outputs: InferenceLane.distinctNames(of: setup.outputs),
            lanes: intake.lanes.count,
            limitMemory: { limitMemory(PixelMemory.byteCount + $0) }
        ) {
            _ = prepared.put(KnownDrawing.tensors(setup.input))
        }
        libraryVersion = model.libraryVersion
        let activity = RunnerActivity()
        var services: [LaneService] = []
        for lane in intake.lanes {
            let inference = try InferenceLane(
                model, input: setup.input, outputs: setup.outputs, labels: setup.labels)
            services.append(
                LaneService(
                    lane: lane, inference: inference, input: setup.input, outputs: setup.outputs,
                    expected: setup.knownAnswers, activity: activity))
        }
        self.services = services
        // All threads start here, because none can be started later. Each scores a drawing, and together they score all
        // drawings.
        guard let tensors = prepared.take(within: .seconds(60)) else {
            throw ModelFailure(.unusable, "The system gives no thread for the model.")
        }
        let drawings = services.indices.map { lane in
            let places = services.count == 1 ? Array(tensors.indices) : [lane % tensors.count]
            return Dictionary(uniqueKeysWithValues: places.map { ($0, tensors[$0]) })
        }
        let results = BoundedChannel<Result<[Int: [Float]], ModelFailure>>(capacity: services.count)
        gates = services.dropFirst().map { _ in BoundedChannel(capacity: 1) }
        for (index, gate) in gates.enumerated() {
            let (service, own) = (services[index + 1], drawings[index + 1])
            let hasStarted = BackgroundThread.start {
                _ = results.put(Result { () throws(ModelFailure) in try service.scores(ofDrawings: own) })
                while true {
                    guard let report = gate.take(within: .seconds(3600)) else { continue }
                    service.run(greeting: report, libraryVersion: model.libraryVersion)
                    return
                }
            }
            guard hasStarted else { throw ModelFailure(.unusable, "The system gives no thread for the model.") }
        }
        var found = [try services[0].scores(ofDrawings: drawings[0])]
        for _ in gates {
            guard let result = results.take(within: .seconds(120)) else {
                throw ModelFailure(.unusable, "The model takes longer than two minutes for a picture.")
            }
            found.append(try result.get())
        }
        let scores = KnownDrawing.all.indices.map { place in found.lazy.compactMap { $0[place] }.first ?? [] }
        // If threads give different scores for a drawing, at least one thread computes wrongly.
        let own = KnownAnswers(scores: scores)
        for lane in found {
            let seen = KnownDrawing.all.indices.map { lane[$0] ?? scores[$0] }
            guard own.agree(with: seen) else { throw LaneService.wrongAnswer(seen, own) }
        }
        if setup.knownAnswers == nil, !services[0].areLabelScoresValid {
            throw ModelFailure(
                .unusable,
                "The model gives its labels scores that are not between 0 and 1. Export it with a softmax or a sigmoid"
                    + " at its end, or leave the labels out of the manifest.")
        }
        report = ModelLoadReport(
            wasCompiled: model.wasCompiled, compiledByteCount: UInt64(model.compiledByteCount), drawings: scores)
        if let expected = setup.knownAnswers, !expected.agree(with: scores) {
            throw LaneService.wrongAnswer(scores, expected)
        }
    }

    /// The descriptors of all connections to the host.
    var sockets: [Int32] { services.map(\.socketNumber) }

    /// Replies to the greetings, and serves until the host is gone or silent for a while.
    func serve(_ sandbox: SandboxReport) {
        for gate in gates { _ = gate.put(sandbox) }
        services[0].run(greeting: sandbox, libraryVersion: libraryVersion, report: report)
    }
}
