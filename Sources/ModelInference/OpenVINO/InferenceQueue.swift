// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// Runs a compiled model on all cores: each worker has one thread and takes one picture after the other.
///
/// Callers bound the number of pictures that are waiting; the queue itself holds references only.
final class InferenceQueue: Sendable {
    private let manifest: ModelManifest
    private let preprocessor: Preprocessor
    private let state: Mutex<State>

    private struct Job {
        let views: [PixelImage]
        let continuation: CheckedContinuation<[[ContentScore]], any Error>
    }

    private struct Worker {
        let request: InferenceRequest
        let thread = WorkerThread()
    }

    private struct State {
        var waiting: [Job] = []
        var idle: [Worker]
    }

    init(manifest: ModelManifest, requests: [InferenceRequest]) {
        self.manifest = manifest
        preprocessor = Preprocessor(manifest.input)
        state = Mutex(State(idle: requests.map { Worker(request: $0) }))
    }

    func scores(of views: [PixelImage]) async throws -> [[ContentScore]] {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(views: views, continuation: continuation)
            let worker = state.withLock { state -> Worker? in
                state.waiting.append(job)
                return state.idle.popLast()
            }
            if let worker { worker.thread.run { self.work(worker) } }
        }
    }

    /// Works until nothing waits.
    private func work(_ worker: Worker) {
        while let job = next(for: worker) {
            job.continuation.resume(
                with: Result { () throws(AnalysisFailure) in
                    try OpenVINOActivity.perform { () throws(AnalysisFailure) in
                        var scores: [[ContentScore]] = []
                        for view in job.views { scores.append(try run(view, on: worker.request)) }
                        return scores
                    }
                }.mapError { $0 })
        }
    }

    /// What waits longest, or nil after putting the worker to rest.
    private func next(for worker: Worker) -> Job? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.idle.append(worker)
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    /// Runs the model on one view.
    ///
    /// Not on several at once: that saves no time on the processors that were measured (docs/performance.md), and
    /// OpenVINO keeps some 20 MiB for every size of a batch that it has ever seen.
    private func run(_ view: PixelImage, on request: InferenceRequest) throws(AnalysisFailure) -> [ContentScore] {
        let input = manifest.input
        let shape =
            switch input.layout {
            case .channelsLast: [1, input.height, input.width, 3]
            case .channelsFirst: [1, 3, input.height, input.width]
            }
        try unsafe request.run(inputName: input.name, shape: shape) { unsafe preprocessor.write(view, into: $0) }
        var scores: [ContentScore] = []
        for output in manifest.outputs {
            let values = try request.output(output.name)
            guard output.column < values.count else {
                throw AnalysisFailure(.modelUnavailable, "The model has fewer outputs than its manifest says.")
            }
            scores.append(
                ContentScore(
                    contentType: ContentType(rawValue: output.contentType),
                    value: Self.withoutRoundingError(values[output.column]), thresholds: output.thresholds))
        }
        return scores
    }

    /// A softmax in single precision may end a hair above 1.
    ///
    /// Anything further out stays, and is refused as a score.
    private static func withoutRoundingError(_ value: Float) -> Float {
        value > -0.001 && value < 1.001 ? min(1, max(0, value)) : value
    }
}
