// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import LiveStreams

/// The stream of a gate's outputs.
struct GateOutput: Sendable {
    let stream: AsyncStream<SCVideoStreamAnalyzer.Gate.Output>
    private let continuation: AsyncStream<SCVideoStreamAnalyzer.Gate.Output>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func finish() { continuation.finish() }

    func send(_ release: StreamService<CVPixelBuffer>.Release, droppedCount: Int, _ policy: SCSensitivityAnalysisPolicy)
    {
        let picture: SCVideoStreamAnalyzer.Gate.Picture
        switch release {
        case .frame(let frame):
            guard let buffer = frame.picture.source else { return }
            picture = .frame(buffer)
        case .cover(let frame, let reason):
            guard let buffer = frame.picture.source else { return }
            let reason: SCVideoStreamAnalyzer.Gate.CoverReason =
                switch reason {
                case .unjudged: .unjudged
                case .sensitive: .sensitive
                case .disabled: .analysisDisabled
                }
            picture = .cover(SCVideoStreamAnalyzer.Gate.CoveredFrame(buffer), reason)
        }
        continuation.yield(
            SCVideoStreamAnalyzer.Gate.Output(picture: picture, droppedFrameCount: droppedCount, policy: policy))
    }
}
