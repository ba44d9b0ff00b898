// swift-tools-version: 6.2
// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

// Tests are no package's dependency, and no place to count unsafe expressions.
let testSettings = Array(settings.dropLast())

// Nested packages cannot see `package` declarations, so what throws damaged input at the parts is in this one.
let fuzzTargets: [Target] =
    Context.environment["SCA_FUZZING"] == nil
    ? []
    : [
        .executableTarget(
            name: "MediaCampaign",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "DecoderHost", "DecoderProtocol", "ModelInference", "TestSupport",
            ],
            path: "FuzzTesting/MediaCampaign", swiftSettings: testSettings),
        .executableTarget(
            name: "ParserFuzzer", dependencies: ["FuzzedParsers"], path: "FuzzTesting/ParserFuzzer",
            swiftSettings: testSettings),
    ]

let package = Package(
    name: "sensitive-content-analysis",
    products: [
        .library(name: "SensitiveContentAnalysis", targets: ["SensitiveContentAnalysis"]),
        .library(name: "InterventionKit", targets: ["InterventionKit"]),
        .executable(name: "sca", targets: ["sca"]),
        .executable(name: "sca-image-decoder", targets: ["sca-image-decoder"]),
        .executable(name: "sca-video-decoder", targets: ["sca-video-decoder"]),
    ],
    traits: [
        .trait(name: "Command", description: "The command sca, and the packages that it alone needs."),
        .default(enabledTraits: ["Command"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
    ],
    targets: [
        // What the decoder processes are made of. No target of the library may depend on these:
        // an app would then load the parsers of hostile media into its own process.
        .systemLibrary(
            name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .target(
            name: "CVipsShims", dependencies: ["CVips"],
            linkerSettings: [.linkedLibrary("gmodule-2.0")]),
        .target(name: "CJPEGShims", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CJxlShims"),
        .target(name: "CZBarShims"),
        .target(name: "CSandboxShims", linkerSettings: [.linkedLibrary("seccomp")]),
        .systemLibrary(
            name: "CFFmpeg", pkgConfig: "libavformat",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev", "libavutil-dev"])]),
        .target(name: "CFFmpegShims", dependencies: ["CFFmpeg"]),
        .target(
            name: "DecoderService",
            dependencies: ["AnalysisCore", "DecoderProtocol", "CLinuxShims", "CSandboxShims", "CZBarShims"],
            swiftSettings: settings),
        .target(
            name: "ImageDecoding",
            dependencies: [
                "AnalysisCore", "DecoderProtocol", "DecoderService", "CVips", "CVipsShims", "CJPEGShims", "CJxlShims",
            ],
            swiftSettings: settings),
        .target(
            name: "VideoDecoding",
            dependencies: ["AnalysisCore", "DecoderProtocol", "DecoderService", "CFFmpeg", "CFFmpegShims"],
            swiftSettings: settings),
        .executableTarget(
            name: "sca-image-decoder", dependencies: ["ImageDecoding", "DecoderProtocol", "DecoderService"],
            swiftSettings: settings),
        .executableTarget(
            name: "sca-video-decoder", dependencies: ["VideoDecoding", "DecoderProtocol", "DecoderService"],
            swiftSettings: settings),

        // The library, from the values at the bottom to Apple's surface at the top.
        .target(name: "AnalysisCore", swiftSettings: settings),
        .target(name: "CLinuxShims"),
        .target(
            name: "DecoderProtocol", dependencies: ["AnalysisCore", "CLinuxShims"],
            swiftSettings: settings),
        .target(
            name: "DecoderHost", dependencies: ["AnalysisCore", "DecoderProtocol", "CLinuxShims"],
            swiftSettings: settings),
        .target(name: "COpenVINO", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "ModelInference",
            dependencies: ["AnalysisCore", "COpenVINO", "Hashing"],
            swiftSettings: settings),
        .systemLibrary(name: "CGcrypt", pkgConfig: "libgcrypt", providers: [.apt(["libgcrypt20-dev"])]),
        .target(name: "Hashing", dependencies: ["CGcrypt"], swiftSettings: settings),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(
            name: "SensitivityPolicy",
            dependencies: ["AnalysisCore", "CSystemd"],
            swiftSettings: settings),
        .target(
            name: "AnalysisEngine",
            dependencies: ["AnalysisCore", "DecoderProtocol", "DecoderHost", "ModelInference", "SensitivityPolicy"],
            swiftSettings: settings),
        .target(
            name: "SensitiveContentAnalysis",
            dependencies: ["AnalysisCore", "AnalysisEngine", "DecoderHost", "DecoderProtocol", "SensitivityPolicy"],
            swiftSettings: settings),

        // What to show and ask. Its words and resources are part of the program: a bundle could be missing beside it.
        .target(
            name: "InterventionKit",
            dependencies: [
                "AnalysisCore", "DecoderHost", "DecoderProtocol", "Hashing", "SensitiveContentAnalysis",
                "SensitivityPolicy",
            ],
            resources: [.embedInCode("Words/Words.xcstrings"), .embedInCode("Help/HelpResources.json")],
            swiftSettings: settings),

        // The command.
        .target(
            name: "SCATool",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "DecoderHost", "DecoderProtocol", "InterventionKit", "ModelInference",
                "SensitiveContentAnalysis", "SensitivityPolicy",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
            ],
            swiftSettings: settings),
        .executableTarget(name: "sca", dependencies: ["SCATool"], swiftSettings: settings),

        // Tests.
        .executableTarget(
            name: "TestDecoder", dependencies: ["DecoderProtocol", "DecoderService", "CLinuxShims"],
            path: "Tests/TestDecoder", swiftSettings: testSettings),
        .executableTarget(
            name: "PolicyProbe", dependencies: ["SensitiveContentAnalysis"], path: "Tests/PolicyProbe",
            swiftSettings: testSettings),
        .target(
            name: "TestSupport",
            dependencies: ["AnalysisCore", "AnalysisEngine", "DecoderHost", "Hashing", "SensitivityPolicy"],
            path: "Tests/TestSupport", swiftSettings: testSettings),
        .testTarget(
            name: "InterventionKitTests",
            dependencies: [
                "AnalysisCore", "InterventionKit", "SensitiveContentAnalysis", "SensitivityPolicy", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "AnalysisCoreTests", dependencies: ["AnalysisCore", "TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "DecoderProtocolTests", dependencies: ["AnalysisCore", "DecoderProtocol", "CLinuxShims"],
            swiftSettings: testSettings),
        .testTarget(
            name: "DecoderServiceTests", dependencies: ["DecoderProtocol", "DecoderService", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "ImageDecodingTests",
            dependencies: ["CJPEGShims", "DecoderProtocol", "DecoderService", "ImageDecoding"],
            swiftSettings: testSettings),
        .testTarget(
            name: "VideoDecodingTests",
            dependencies: ["DecoderProtocol", "DecoderService", "TestSupport", "VideoDecoding"],
            swiftSettings: testSettings),
        .testTarget(
            name: "DecoderHostTests",
            dependencies: ["AnalysisCore", "DecoderHost", "DecoderProtocol", "TestDecoder", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "MediaTests",
            dependencies: ["AnalysisCore", "DecoderHost", "DecoderProtocol", "TestSupport", "sca"],
            swiftSettings: testSettings),
        .testTarget(
            name: "ModelInferenceTests", dependencies: ["AnalysisCore", "Hashing", "ModelInference", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "SensitivityPolicyTests", dependencies: ["AnalysisCore", "SensitivityPolicy", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["AnalysisCore", "AnalysisEngine", "DecoderHost", "ModelInference", "TestSupport"],
            exclude: ["Vectors"], swiftSettings: testSettings),
        .testTarget(
            name: "AnalysisEngineTests",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "DecoderHost", "DecoderProtocol", "ModelInference", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "PublicAPITests", dependencies: ["SensitiveContentAnalysis", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "CommandTests", dependencies: ["sca", "sca-image-decoder", "sca-video-decoder", "TestSupport"],
            swiftSettings: testSettings),
        // What fuzzers and the tests that replay their findings have in common.
        .target(
            name: "FuzzedParsers", dependencies: ["DecoderProtocol", "ModelInference", "SensitivityPolicy"],
            path: "FuzzTesting/FuzzedParsers", swiftSettings: testSettings),
        .testTarget(
            name: "FuzzingTests", dependencies: ["DecoderProtocol", "FuzzedParsers", "TestSupport"],
            swiftSettings: testSettings),
    ] + fuzzTargets
)
