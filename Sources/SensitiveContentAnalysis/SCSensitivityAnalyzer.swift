// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Tells whether an image is likely to show nudity, before it is displayed.
///
/// Analyzers are cheap: all with the same configuration share the model and the decoder processes, which start with
/// the first analysis. Nothing leaves the machine.
///
/// Source: Apple's documentation of `SCSensitivityAnalyzer`.
open class SCSensitivityAnalyzer: NSObject, @unchecked Sendable {
    // @unchecked: every stored property is constant; an open class cannot be checked.

    let backing: AnalyzerBacking

    /// Creates an analyzer with the configuration of the process.
    public override init() {
        backing = AnalyzerBacking(configuration: nil)
        super.init()
    }

    /// Creates an analyzer with a configuration of its own.
    ///
    /// Not in Apple's framework.
    public init(configuration: Configuration) {
        backing = AnalyzerBacking(configuration: configuration)
        super.init()
    }

    /// The policy in force; check it before analysing, and intervene as it says.
    ///
    /// The strictest of what the parent, the person and the app want. The first call in a process may take a quarter of
    /// a second, further ones take microseconds.
    open var analysisPolicy: SCSensitivityAnalysisPolicy { backing.policy }

    /// Analyses an image file.
    ///
    /// - Parameter fileURL: a local file. A remote URL throws `invalidArgument`: download it first.
    /// - Returns: the verdict.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be analysed, or `CancellationError`.
    nonisolated(nonsending) open func analyzeImage(at fileURL: URL) async throws -> SCSensitivityAnalysis {
        try ForkCheck.pass()
        return try await backing.analyzeImage(at: fileURL)
    }

    /// Analyses an image file and calls the handler, on no particular queue, with a result or an error.
    open func analyzeImage(
        at fileURL: URL, completionHandler: @escaping @Sendable (SCSensitivityAnalysis?, (any Error)?) -> Void
    ) {
        complete(completionHandler) { try await $0.analyzeImage(at: fileURL) }
    }

    /// Analyses an image in memory.
    ///
    /// - Parameter image: the image as it will be shown, upright.
    /// - Returns: the verdict.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be analysed, or `CancellationError`.
    nonisolated(nonsending) open func analyzeImage(_ image: CGImage) async throws -> SCSensitivityAnalysis {
        try ForkCheck.pass()
        return try await backing.analyzeImage(image)
    }

    /// Analyses an image in memory and calls the handler, on no particular queue, with a result or an error.
    open func analyzeImage(
        _ image: CGImage, completionHandler: @escaping @Sendable (SCSensitivityAnalysis?, (any Error)?) -> Void
    ) {
        complete(completionHandler) { try await $0.analyzeImage(image) }
    }

    /// Analyses an encoded image in memory.
    ///
    /// Not in Apple's framework.
    ///
    /// - Parameter data: the content of an image file.
    /// - Returns: the verdict.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be analysed, or `CancellationError`.
    nonisolated(nonsending) open func analyzeImage(data: Data) async throws -> SCSensitivityAnalysis {
        try ForkCheck.pass()
        return try await backing.analyzeImage(data: data)
    }

    /// Prepares the analysis of a video file; nothing happens before
    /// ``VideoAnalysisHandler/hasSensitiveContent()``.
    ///
    /// - Parameter fileURL: a local file. A remote URL makes the analysis throw `invalidArgument`.
    open func videoAnalysis(forFileAt fileURL: URL) -> VideoAnalysisHandler {
        VideoAnalysisHandler(fileURL: fileURL, backing: backing)
    }

    private func complete(
        _ handler: @escaping @Sendable (SCSensitivityAnalysis?, (any Error)?) -> Void,
        _ analysis: @escaping @Sendable (AnalyzerBacking) async throws -> SCSensitivityAnalysis
    ) {
        let backing = backing
        do { try ForkCheck.pass() } catch { return handler(nil, error) }
        Task {
            do {
                handler(try await analysis(backing), nil)
            } catch {
                handler(nil, error)
            }
        }
    }
}
