// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

extension SCSensitivityAnalyzer {
    /// What an app asks of its analyzers.
    public struct Configuration: Sendable, Hashable {
        /// The policy that the app demands.
        ///
        /// The stricter of this and the system's holds: an app can raise the policy of the person and the parent, and
        /// never lower it.
        public var demandedPolicy: SCSensitivityAnalysisPolicy
        /// The name of an installed model, or nil for the default.
        public var modelName: String?
        /// The bounds within which media is analysed.
        public var limits: Limits
        /// How much of a video is looked at.
        public var samplingPreset: SamplingPreset
        /// Whether to analyse nothing unless every layer of the sandbox around the helper processes is in force.
        ///
        /// Otherwise a layer that the system lacks, such as user namespaces in some containers, is done without, and
        /// `sca doctor` says which. With it, analysis throws `decoderUnavailable` or `modelUnavailable` there.
        public var requiresSandbox: Bool

        /// Creates a configuration; without arguments, it demands nothing.
        public init(
            demandedPolicy: SCSensitivityAnalysisPolicy = .disabled, modelName: String? = nil,
            limits: Limits = Limits(), samplingPreset: SamplingPreset = .balanced, requiresSandbox: Bool = false
        ) {
            self.demandedPolicy = demandedPolicy
            self.modelName = modelName
            self.limits = limits
            self.samplingPreset = samplingPreset
            self.requiresSandbox = requiresSandbox
        }
    }

    /// How much of a video is looked at; what each can miss is in docs/video-sampling.md.
    ///
    /// Under ``SCSensitivityAnalysisPolicy/descriptiveInterventions``, every frame is decoded whatever the preset, and
    /// scored at every change and at least four times a second.
    public enum SamplingPreset: Sendable, Hashable, CaseIterable {
        /// Key frames about two seconds apart; misses what is shown between them.
        case fast
        /// Key frames, and what the sizes of the packets between them give away.
        case balanced
        /// Every frame that differs from the last one that was looked at.
        case thorough
    }

    /// The bounds within which media is analysed; whatever exceeds one throws `limitExceeded` or `timedOut`.
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
        /// The largest picture of a format that is decoded in strips or at a reduced scale, in pixels; 300 million by
        /// default.
        public var maximumStreamedPixelCount: Int {
            get { bounds.maximumStreamedPixelCount }
            set { bounds.maximumStreamedPixelCount = newValue }
        }
        /// The largest picture of any other format, in pixels; 100 million by default.
        public var maximumPixelCount: Int {
            get { bounds.maximumPixelCount }
            set { bounds.maximumPixelCount = newValue }
        }
        /// The longest time that a picture may take to decode; 10 seconds by default.
        public var maximumDecodingTime: Duration {
            get { bounds.maximumDecodingTime }
            set { bounds.maximumDecodingTime = newValue }
        }
        /// The longest time that all pictures of one file together may take to decode; an hour by default.
        public var maximumMediaDecodingTime: Duration {
            get { bounds.maximumMediaDecodingTime }
            set { bounds.maximumMediaDecodingTime = newValue }
        }
        /// The longest time that all pictures of an animation, or of a file with pages, may take to decode; a minute by
        /// default.
        public var maximumPicturesDecodingTime: Duration {
            get { bounds.maximumPicturesDecodingTime }
            set { bounds.maximumPicturesDecodingTime = newValue }
        }
        /// The largest video file, in bytes; 1 TiB by default, since it is never held as a whole.
        public var maximumVideoByteCount: Int {
            get { bounds.maximumVideoByteCount }
            set { bounds.maximumVideoByteCount = newValue }
        }
        /// The longest video that is gone through; 24 hours by default.
        public var maximumDuration: Duration {
            get { bounds.maximumDuration }
            set { bounds.maximumDuration = newValue }
        }
        /// How many frames of one file may be decoded; 10 million by default.
        public var maximumFrameCount: Int {
            get { bounds.maximumFrameCount }
            set { bounds.maximumFrameCount = newValue }
        }
        /// The memory of a decoder process, in bytes; 1 GiB by default.
        public var decoderMemory: Int {
            get { bounds.decoderMemory }
            set { bounds.decoderMemory = newValue }
        }

        /// Creates the default bounds, to be changed one by one.
        public init() {}
    }

    /// The configuration of every analyzer that was created without one, also of those that exist already.
    ///
    /// Set it once, when the app starts, and code written for Apple's framework needs no change. Who follows
    /// ``analysisPolicyChanges`` learns of it when it is set later.
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
