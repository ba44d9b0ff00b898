// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request for all labels that an installed model gives to an image, in the style of Vision.
///
/// ```swift
/// let request = ClassificationRequest(modelName: "flowers")
/// do {
///     for observation in try await request.perform(on: fileURL) {
///         print(observation.identifier, observation.confidence)
///     }
/// } catch {
///     print("unknown:", error.localizedDescription)
/// }
/// ```
///
/// It works without a policy: it describes an image, and the app decides what follows. An image whose parts cannot all
/// be judged throws an error, and an error never means that the image is harmless. To judge images under the policy of
/// the person and the parent, use ``SCSensitivityAnalyzer``.
///
/// Not in Apple's framework.
public struct ClassificationRequest: Sendable, Hashable {
    /// The name of an installed model, or nil for the default.
    public var modelName: String?
    /// The bounds within which images are decoded.
    public var limits: SCSensitivityAnalyzer.Limits
    /// Whether a request requires every layer of the sandbox around the helper processes.
    public var requiresSandbox: Bool

    /// Creates a request for a model, for example one that `sca model import` has added.
    public init(
        modelName: String? = nil, limits: SCSensitivityAnalyzer.Limits = SCSensitivityAnalyzer.Limits(),
        requiresSandbox: Bool = false
    ) {
        self.modelName = modelName
        self.limits = limits
        self.requiresSandbox = requiresSandbox
    }

    /// Classifies an image file.
    ///
    /// An animation, or an image that is seen differently over white and black, has the labels of the picture with the
    /// highest score for sensitive content. A label that stands for sensitive content has its highest score in any of
    /// the pictures.
    ///
    /// - Parameter fileURL: a local file.
    /// - Returns: an observation for each label of the model, or for each of its content types if it has no labels, in
    ///   descending order of confidence.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be classified, or `CancellationError`.
    nonisolated(nonsending) public func perform(
        on fileURL: URL
    ) async throws -> [ClassificationObservation] {
        try await backing.classifyImage(at: fileURL)
    }

    /// Classifies an encoded image in memory.
    ///
    /// - Parameter data: the content of an image file.
    /// - Returns: the observations, as for a file.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be classified, or `CancellationError`.
    nonisolated(nonsending) public func perform(
        on data: Data
    ) async throws -> [ClassificationObservation] {
        try await backing.classifyImage(data: data)
    }

    /// Classifies an image in memory.
    ///
    /// - Parameter image: the image as it will be shown, in upright orientation.
    /// - Returns: the observations, as for a file.
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be classified, or `CancellationError`.
    nonisolated(nonsending) public func perform(
        on image: CGImage
    ) async throws -> [ClassificationObservation] {
        try await backing.classifyImage(image)
    }

    private var backing: AnalyzerBacking {
        get throws {
            try ForkCheck.pass()
            return AnalyzerBacking(
                configuration: SCSensitivityAnalyzer.Configuration(
                    // Without a demand there would be no analysis for a person who has not asked for warnings.
                    demandedPolicy: .simpleInterventions, modelName: modelName, limits: limits,
                    requiresSandbox: requiresSandbox))
        }
    }
}
