// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

extension SCSensitivityAnalyzer {
    /// The settings of an app for its analyzers.
    ///
    /// ```swift
    /// var configuration = SCSensitivityAnalyzer.Configuration(demandedPolicy: .descriptiveInterventions)
    /// configuration.samplingPreset = .thorough
    /// configuration.limits.maximumDuration = .seconds(600)
    /// configuration.requiresSandbox = true
    /// let analyzer = SCSensitivityAnalyzer(configuration: configuration)
    /// ```
    public struct Configuration: Sendable, Hashable {
        /// The policy that the app demands.
        ///
        /// The stricter of this policy and the system's policy is in force. An app can raise the policy of the person
        /// and the parent, and never lower it.
        public var demandedPolicy: SCSensitivityAnalysisPolicy
        /// The name of an installed model, or nil for the default.
        public var modelName: String?
        /// The bounds within which media is analysed.
        public var limits: Limits
        /// The preset that selects the analysed frames of a video.
        public var samplingPreset: SamplingPreset
        /// The score from which on media is sensitive, above 0 and up to 1; nil for the thresholds of the model's manifest.
        ///
        /// It replaces the thresholds of both policies if the app alone demands analysis. Where the person or a parent has
        /// set a policy, it can only make verdicts stricter. Analysis throws `invalidArgument` for any other number.
        /// `sca evaluate` finds a threshold for your pictures.
        public var threshold: Float?
        /// Whether analysis requires every layer of the sandbox around the helper processes.
        ///
        /// If false, analysis continues without a layer that the system lacks, such as user namespaces in some
        /// containers; `sca doctor` names the layer. If true, it throws `decoderUnavailable` or `modelUnavailable`.
        public var requiresSandbox: Bool

        /// Creates a configuration; the default demands no policy.
        public init(
            demandedPolicy: SCSensitivityAnalysisPolicy = .disabled, modelName: String? = nil,
            limits: Limits = Limits(), samplingPreset: SamplingPreset = .balanced, requiresSandbox: Bool = false,
            threshold: Float? = nil
        ) {
            self.demandedPolicy = demandedPolicy
            self.modelName = modelName
            self.limits = limits
            self.samplingPreset = samplingPreset
            self.requiresSandbox = requiresSandbox
            self.threshold = threshold
        }
    }

    /// A rule that selects the frames of a video to analyse; docs/video-sampling.md lists what each preset can miss.
    ///
    /// Under ``SCSensitivityAnalysisPolicy/descriptiveInterventions`` every preset decodes every frame, and scores a
    /// frame at every change and at least four times a second.
    public enum SamplingPreset: Sendable, Hashable, CaseIterable {
        /// Keyframes about two seconds apart; content between them is missed.
        case fast
        /// Keyframes, and frames between them that stand out by the sizes of their packets.
        case balanced
        /// Every frame that differs from the last analysed frame.
        case thorough
    }

    /// The bounds within which media is analysed; media that exceeds a bound throws `limitExceeded` or `timedOut`.
    public struct Limits: Sendable, Hashable {
        var bounds = AnalysisLimits()

        /// The largest file or data, in bytes; 256 MiB by default.
        public var maximumByteCount: Int {
            get { bounds.maximumByteCount }
            set { bounds.maximumByteCount = newValue }
        }
        /// The longest edge of a picture, in pixels; 65,535 by default.
        public var maximumEdge: Int {
            get { bounds.maximumEdge }
            set { bounds.maximumEdge = newValue }
        }
        /// The largest picture, in pixels, of a format decoded in strips or bands; 300 million by default.
        public var maximumStreamedPixelCount: Int {
            get { bounds.maximumStreamedPixelCount }
            set { bounds.maximumStreamedPixelCount = newValue }
        }
        /// The largest picture of any other format, in pixels; 100 million by default.
        public var maximumPixelCount: Int {
            get { bounds.maximumPixelCount }
            set { bounds.maximumPixelCount = newValue }
        }
        /// The longest time that the decoder may work on a picture; 10 seconds of processor time by default.
        ///
        /// Time in which the decoder waits for a processor does not count, up to ten times the limit.
        public var maximumDecodingTime: Duration {
            get { bounds.maximumDecodingTime }
            set { bounds.maximumDecodingTime = newValue }
        }
        /// The longest time that all pictures of one file together may take to decode; an hour by default.
        public var maximumMediaDecodingTime: Duration {
            get { bounds.maximumMediaDecodingTime }
            set { bounds.maximumMediaDecodingTime = newValue }
        }
        /// The longest time to decode all pictures of an animation or of a file with pages; a minute by default.
        public var maximumPicturesDecodingTime: Duration {
            get { bounds.maximumPicturesDecodingTime }
            set { bounds.maximumPicturesDecodingTime = newValue }
        }
        /// The largest video file, in bytes; 1 TiB by default, because a video is never held in memory as a whole.
        public var maximumVideoByteCount: Int {
            get { bounds.maximumVideoByteCount }
            set { bounds.maximumVideoByteCount = newValue }
        }
        /// The longest video that is analysed; 24 hours by default.
        public var maximumDuration: Duration {
            get { bounds.maximumDuration }
            set { bounds.maximumDuration = newValue }
        }
        /// The largest number of decoded frames of one file; 10 million by default.
        public var maximumFrameCount: Int {
            get { bounds.maximumFrameCount }
            set { bounds.maximumFrameCount = newValue }
        }
        /// The memory that a decoder process may use beyond its needs at the start, in bytes; 1 GiB by default.
        public var decoderMemory: Int {
            get { bounds.decoderMemory }
            set { bounds.decoderMemory = newValue }
        }

        /// Creates the default bounds, which can be changed one by one.
        public init() {}
    }

    /// The configuration of all present and future analyzers that were created without a configuration.
    ///
    /// ```swift
    /// #if os(Linux)
    /// SCSensitivityAnalyzer.defaultConfiguration.demandedPolicy = .simpleInterventions
    /// #endif
    /// let analyzer = SCSensitivityAnalyzer()
    /// ```
    ///
    /// Set it once, at the start of the app. Code for Apple's framework then needs no change. Listeners of
    /// ``analysisPolicyChanges`` are notified if it is set later.
    public static var defaultConfiguration: Configuration {
        get { DefaultConfiguration.shared.value }
        set { DefaultConfiguration.shared.value = newValue }
    }
}

extension SamplingPreset {
    init(_ preset: SCSensitivityAnalyzer.SamplingPreset) {
        switch preset {
        case .fast: self = .fast
        case .balanced: self = .balanced
        case .thorough: self = .thorough
        }
    }
}
