// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// Runs a model on one core, and on all as soon as pictures have waited: each worker has one thread and takes one
/// picture after the other.
///
/// OpenVINO prepares for every thread anew. Most apps have one picture now and then, and where photographs are decoded
/// one thread keeps up; to prepare for many cores would make them wait for nothing.
///
/// Callers bound the number of pictures that are waiting; the queue itself holds references only.
final class InferenceQueue: Sendable {
    private let manifest: ModelManifest
    private let preprocessor: Preprocessor
    private let state: Mutex<State>

    private struct Job {
        let views: [PixelImage]
        let continuation: CheckedContinuation<[[ContentScore]], any Error>
        let arrival = ContinuousClock.now
    }

    private struct Worker {
        let request: InferenceRequest
        let thread = WorkerThread()
    }

    private struct State {
        var waiting: [Job] = []
        var idle: [Worker]
        var workerCount = 1
        /// How long pictures have waited for a worker since one last found nothing to do, together.
        var waited = Duration.zero
        var more: (@Sendable () -> [InferenceRequest])?
    }

    /// - Parameters:
    ///   - first: what the first worker runs the model with.
    ///   - more: prepares the further workers, or nil where there are to be none; called at most once, on a thread of
    ///     its own.
    init(manifest: ModelManifest, first: InferenceRequest, more: (@Sendable () -> [InferenceRequest])?) {
        self.manifest = manifest
        preprocessor = Preprocessor(manifest.input)
        state = Mutex(State(idle: [Worker(request: first)], more: more))
    }

    var workerCount: Int { state.withLock { $0.workerCount } }

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
            growIfPicturesWait()
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

    private func growIfPicturesWait() {
        let more = state.withLock { state in
            guard state.waited >= Self.patience else { return nil as (@Sendable () -> [InferenceRequest])? }
            defer { state.more = nil }
            return state.more
        }
        guard let more else { return }
        WorkerThread().run {
            for request in OpenVINOActivity.perform(more) {
                let worker = Worker(request: request)
                self.state.withLock { $0.workerCount += 1 }
                // It looks for work before it rests.
                worker.thread.run { self.work(worker) }
            }
        }
    }

    /// The pictures that have been decoded while the model was loaded wait for a second together, after which one
    /// thread may do.
    private static let patience = Duration.seconds(2)

    /// What waits longest, or nil after putting the worker to rest.
    private func next(for worker: Worker) -> Job? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.idle.append(worker)
                state.waited = .zero
                return nil
            }
            let job = state.waiting.removeFirst()
            state.waited += job.arrival.duration(to: .now)
            return job
        }
    }

    /// Runs the model on one view.
    ///
    /// Not on several at once: that saves no time on the processors that were measured (docs/performance.md), and
    /// OpenVINO keeps some 20 MiB for every size of a batch that it has ever seen.
    private func run(_ view: PixelImage, on request: InferenceRequest) throws(AnalysisFailure) -> [ContentScore] {
        try unsafe request.run(inputName: manifest.input.name, valueCount: preprocessor.valueCount) {
            unsafe preprocessor.write(view, into: $0)
        }
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
