// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Apple's framework brings Foundation's types, such as URL and Progress, to code that imports nothing else.
@_exported public import Foundation

/// An analyzer that finds whether images and videos are likely to be sensitive, before they are displayed.
///
/// ```swift
/// let analyzer = SCSensitivityAnalyzer()
/// if analyzer.analysisPolicy == .disabled {
///     view.show(fileURL)
/// } else {
///     do {
///         let analysis = try await analyzer.analyzeImage(at: fileURL)
///         if analysis.isSensitive { view.cover("This may be sensitive.") } else { view.show(fileURL) }
///     } catch {
///         // Nothing is known about the image, so it stays covered.
///         view.cover("This could not be checked. \(error.localizedDescription)")
///     }
/// }
/// ```
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
    /// ```swift
    /// view.cover("Checking …")
    /// do {
    ///     let analysis = try await analyzer.analyzeImage(at: fileURL)
    ///     if analysis.isSensitive { view.cover("This may be sensitive.") } else { view.show(fileURL) }
    /// } catch let error as SensitivityAnalysisError {
    ///     view.cover("This could not be checked. \(error.message)")
    /// }
    /// ```
    ///
    /// - Parameter fileURL: a local file. A remote URL throws `invalidArgument`: download it first.
    /// - Returns: the verdict.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be analysed, or `CancellationError`.
    nonisolated(nonsending) open func analyzeImage(at fileURL: URL) async throws -> SCSensitivityAnalysis {
        try ForkCheck.pass()
        return try await backing.analyzeImage(at: fileURL)
    }

    /// Analyses an image file, and calls the handler with a result or an error, on no particular queue.
    ///
    /// ```swift
    /// analyzer.analyzeImage(at: fileURL) { analysis, error in
    ///     if let analysis, !analysis.isSensitive {
    ///         view.show(fileURL)
    ///     } else {
    ///         view.cover(error?.localizedDescription ?? "This may be sensitive.")
    ///     }
    /// }
    /// ```
    open func analyzeImage(
        at fileURL: URL, completionHandler: @escaping @Sendable (SCSensitivityAnalysis?, (any Error)?) -> Void
    ) {
        complete(completionHandler) { try await $0.analyzeImage(at: fileURL) }
    }

    /// Analyses an image in memory.
    ///
    /// ```swift
    /// do {
    ///     let image = try CGImage(width: 640, height: 480, pixelFormat: .rgb24, pixels: data)
    ///     let analysis = try await analyzer.analyzeImage(image)
    ///     if analysis.isSensitive { view.cover("This may be sensitive.") } else { view.show(image) }
    /// } catch {
    ///     view.cover("This could not be checked. \(error.localizedDescription)")
    /// }
    /// ```
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
    /// ```swift
    /// do {
    ///     let analysis = try await analyzer.analyzeImage(data: data)
    ///     upload.isAccepted = !analysis.isSensitive
    /// } catch {
    ///     // An image that could not be analysed is unknown, and not accepted.
    ///     upload.isAccepted = false
    /// }
    /// ```
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
    /// ```swift
    /// let handler = analyzer.videoAnalysis(forFileAt: fileURL)
    /// do {
    ///     let analysis = try await handler.hasSensitiveContent()
    ///     if analysis.isSensitive { view.cover("This may be sensitive.") } else { view.show(fileURL) }
    /// } catch {
    ///     view.cover("This could not be checked. \(error.localizedDescription)")
    /// }
    /// ```
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
