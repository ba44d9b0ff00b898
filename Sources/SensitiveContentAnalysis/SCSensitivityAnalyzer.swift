// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An analyzer that finds whether images and videos are likely to be sensitive, before they are displayed.
///
/// Analyzers are cheap. All analyzers with the same configuration share the model and the decoder processes, which
/// start with the first analysis. No data leaves the machine.
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

    /// The policy in force; check it before an analysis, and intervene accordingly.
    ///
    /// It is the strictest of the policies of the parent, the person and the app. The first call in a process may take
    /// a quarter of a second; further calls take microseconds.
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

    /// Analyses an image file, and calls the handler with a result or an error, on no particular queue.
    open func analyzeImage(
        at fileURL: URL, completionHandler: @escaping @Sendable (SCSensitivityAnalysis?, (any Error)?) -> Void
    ) {
        complete(completionHandler) { try await $0.analyzeImage(at: fileURL) }
    }

    /// Analyses an image in memory.
    ///
    /// - Parameter image: the image as it will be shown, in upright orientation.
    /// - Returns: the verdict.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be analysed, or `CancellationError`.
    nonisolated(nonsending) open func analyzeImage(_ image: CGImage) async throws -> SCSensitivityAnalysis {
        try ForkCheck.pass()
        return try await backing.analyzeImage(image)
    }

    /// Analyses an image in memory, and calls the handler with a result or an error, on no particular queue.
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

    /// Returns a handler for a video file.
    ///
    /// The analysis starts with ``VideoAnalysisHandler/hasSensitiveContent()`` or ``VideoAnalysisHandler/timeline()``.
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
