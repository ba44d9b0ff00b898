// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// Runs a compiled model on all cores: each worker has one thread, and takes several pictures at once when more are
/// waiting than there are workers.
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
        let workerCount: Int
    }

    init(manifest: ModelManifest, requests: [InferenceRequest]) {
        self.manifest = manifest
        preprocessor = Preprocessor(manifest.input)
        state = Mutex(State(idle: requests.map { Worker(request: $0) }, workerCount: requests.count))
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
        while let jobs = next(for: worker) {
            let views = jobs.flatMap(\.views)
            let scores = Result { () throws(AnalysisFailure) in
                try OpenVINOActivity.perform { () throws(AnalysisFailure) in
                    try self.run(views, on: worker.request)
                }
            }
            var position = 0
            for job in jobs {
                job.continuation.resume(
                    with: scores.map { Array($0[position..<(position + job.views.count)]) }.mapError { $0 })
                position += job.views.count
            }
        }
    }

    /// The worker's fair share of what waits, or nil after putting the worker to rest.
    private func next(for worker: Worker) -> [Job]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.idle.append(worker)
                return nil
            }
            let share = (state.waiting.count + state.workerCount - 1) / state.workerCount
            let count = max(1, min(share, Self.maximumBatch))
            let jobs = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            return jobs
        }
    }

    private func run(_ views: [PixelImage], on request: InferenceRequest) throws(AnalysisFailure) -> [[ContentScore]] {
        let input = manifest.input
        let shape =
            switch input.layout {
            case .channelsLast: [views.count, input.height, input.width, 3]
            case .channelsFirst: [views.count, 3, input.height, input.width]
            }
        try unsafe request.run(inputName: input.name, shape: shape) { tensor in
            for (index, view) in views.enumerated() {
                let start = index * preprocessor.valueCount
                unsafe preprocessor.write(
                    view,
                    into: UnsafeMutableBufferPointer(rebasing: tensor[start..<(start + preprocessor.valueCount)]))
            }
        }
        var scores: [[ContentScore]] = Array(repeating: [], count: views.count)
        for output in manifest.outputs {
            let (values, columns) = try request.output(output.name, rows: views.count)
            guard output.column < columns else {
                throw AnalysisFailure(.modelUnavailable, "The model has fewer outputs than its manifest says.")
            }
            for row in views.indices {
                scores[row].append(
                    ContentScore(
                        contentType: ContentType(rawValue: output.contentType),
                        value: Self.withoutRoundingError(values[row * columns + output.column]),
                        thresholds: output.thresholds))
            }
        }
        return scores
    }

    /// A softmax in single precision may end a hair above 1.
    ///
    /// Anything further out stays, and is refused as a score.
    private static func withoutRoundingError(_ value: Float) -> Float {
        value > -0.001 && value < 1.001 ? min(1, max(0, value)) : value
    }

    /// Larger batches need memory and save no time on the processors that were measured (docs/performance.md).
    private static let maximumBatch = 4
}
