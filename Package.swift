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

// Tests are no package's dependency, and no place to count unsafe expressions. To optimise them takes longer than they
// gain when they run.
let testSettings = Array(settings.dropLast()) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// Nested packages cannot see `package` declarations, so what throws damaged input at the parts is in this one.
let fuzzTargets: [Target] =
    Context.environment["SCA_FUZZING"] == nil
    ? []
    : [
        .executableTarget(
            name: "MediaCampaign",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "HelperHost", "HelperProtocol", "LiveStreams", "TestSupport",
            ],
            path: "FuzzTesting/MediaCampaign", swiftSettings: testSettings),
        .executableTarget(
            name: "StreamCampaign",
            dependencies: ["AnalysisCore", "AnalysisEngine", "HelperHost", "LiveStreams", "TestSupport"],
            path: "FuzzTesting/StreamCampaign", swiftSettings: testSettings),
        .executableTarget(
            name: "ParserFuzzer", dependencies: ["FuzzedParsers"], path: "FuzzTesting/ParserFuzzer",
            swiftSettings: testSettings),
    ]

// `make run` and `make deb` leave these out, because no program that is installed needs them.
let testTargets: [Target] =
    Context.environment["SCA_WITHOUT_TESTS"] != nil
    ? []
    : [
        .executableTarget(
            name: "TestDecoder",
            dependencies: [
                "AnalysisCore", "CLinuxShims", "FileAccess", "HelperProtocol", "HelperService",
            ],
            path: "Tests/TestDecoder", swiftSettings: testSettings),
        .executableTarget(
            name: "ModelConversionProbe", dependencies: ["ModelConversion"], path: "Tests/ModelConversionProbe",
            swiftSettings: testSettings),
        .executableTarget(
            name: "PolicyProbe", dependencies: ["SensitiveContentAnalysis"], path: "Tests/PolicyProbe",
            swiftSettings: testSettings),
        .executableTarget(
            name: "ExitProbe", dependencies: ["SensitiveContentAnalysis"], path: "Tests/ExitProbe",
            swiftSettings: testSettings),
        .target(
            name: "TestSupport",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "FileAccess", "Hashing", "HelperHost", "HelperProtocol",
                "ModelInference", "ModelStore", "SensitivityPolicy", "VideoCapture",
            ],
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
            name: "LiveStreamsTests", dependencies: ["AnalysisCore", "LiveStreams", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "HelperProtocolTests", dependencies: ["AnalysisCore", "HelperProtocol", "CLinuxShims"],
            swiftSettings: testSettings),
        .testTarget(
            name: "DecoderServiceTests", dependencies: ["AnalysisCore", "DecoderService"], swiftSettings: testSettings),
        .testTarget(
            name: "ViewerAgreementTests",
            dependencies: ["AnalysisCore", "FileAccess", "HelperProtocol", "ViewerAgreement", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "ImageDecodingTests",
            dependencies: [
                "AnalysisCore", "CJPEGShims", "CPixelLoops", "HelperProtocol", "ImageDecoding", "ViewerAgreement",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "VideoDecodingTests",
            dependencies: [
                "AnalysisCore", "HelperProtocol", "ViewerAgreement", "TestSupport", "VideoDecoding",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "HelperHostTests",
            dependencies: ["AnalysisCore", "HelperHost", "HelperProtocol", "TestDecoder", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "VideoCaptureTests",
            dependencies: ["AnalysisCore", "HelperProtocol", "TestSupport", "VideoCapture"],
            swiftSettings: testSettings),
        .testTarget(
            name: "PipeWireCaptureTests",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "CPipeWireShims", "FileAccess", "HelperHost", "HelperProtocol",
                "LiveStreams", "PipeWireCapture", "TestSupport", "sca-pipewire-source", "sca-video-decoder",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "MediaTests",
            dependencies: [
                "AnalysisCore", "HelperHost", "TestSupport", "sca",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ModelEvaluationTests", dependencies: ["ModelEvaluation", "TestSupport"],
            exclude: ["References"], swiftSettings: testSettings),
        .testTarget(
            name: "ModelStoreTests",
            dependencies: ["AnalysisCore", "CompiledModels", "Hashing", "ModelStore", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "ModelInferenceTests",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "CompiledModels", "HelperHost", "HelperProtocol", "ModelInference",
                "ModelStore", "TestSupport", "sca-model-runner",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ModelConversionTests",
            dependencies: [
                "AnalysisCore", "FileAccess", "Hashing", "HelperHost", "HelperProtocol", "ModelConversion",
                "ModelFormats", "TestSupport", "sca", "sca-image-decoder", "sca-model-importer", "sca-model-runner",
                .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: .when(traits: ["CoreML"])),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "SensitivityPolicyTests", dependencies: ["AnalysisCore", "SensitivityPolicy", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "HelperHost", "ModelInference", "ModelStore", "TestSupport",
            ],
            exclude: ["Vectors"], swiftSettings: testSettings),
        .testTarget(
            name: "AnalysisEngineTests",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "HelperHost", "HelperProtocol", "LiveStreams", "SensitivityPolicy",
                "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "PublicAPITests",
            dependencies: [
                "AnalysisCore", "MediaLoading", "SensitiveContentAnalysis", "TestSupport",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "StreamAnalyzerTests",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "HelperHost", "HelperProtocol", "InterventionKit",
                "LiveStreams", "SensitiveContentAnalysis", "TestSupport", "VideoCapture",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "LiveStreams", "ModelEvaluation", "SCATool", "sca",
                "sca-image-decoder",
                "sca-model-runner",
                "sca-video-decoder", "TestSupport",
            ],
            swiftSettings: testSettings),
        // What fuzzers and the tests that replay their findings have in common.
        .target(
            name: "FuzzedParsers", dependencies: ["HelperProtocol", "ModelStore", "SensitivityPolicy"],
            path: "FuzzTesting/FuzzedParsers", swiftSettings: testSettings),
        .testTarget(
            name: "FuzzingTests", dependencies: ["HelperProtocol", "FuzzedParsers", "TestSupport"],
            swiftSettings: testSettings),
    ]

let package = Package(
    name: "sensitive-content-analysis",
    products: [
        .library(name: "SensitiveContentAnalysis", targets: ["SensitiveContentAnalysis"]),
        .library(name: "InterventionKit", targets: ["InterventionKit"]),
        .library(name: "MediaLoading", targets: ["MediaLoading"]),
        .executable(name: "sca", targets: ["sca"]),
        .executable(name: "sca-image-decoder", targets: ["sca-image-decoder"]),
        .executable(name: "sca-video-decoder", targets: ["sca-video-decoder"]),
        .executable(name: "sca-model-runner", targets: ["sca-model-runner"]),
        .executable(name: "sca-pipewire-source", targets: ["sca-pipewire-source"]),
        .executable(name: "sca-model-importer", targets: ["sca-model-importer"]),
        .executable(name: "sca-media-encoder", targets: ["sca-media-encoder"]),
    ],
    traits: [
        .trait(name: "Command", description: "The command sca, and the packages that it alone needs."),
        .trait(name: "CoreML", description: "The import of Core ML files by the command, with swift-protobuf."),
        .default(enabledTraits: ["Command", "CoreML"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
    ],
    targets: [
        // What the helper processes are made of. No target of the library may depend on these: an app would then load
        // the parsers of hostile media, or the inference library, into its own process.
        .systemLibrary(
            name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .target(
            name: "CVipsShims", dependencies: ["CVips"],
            linkerSettings: [.linkedLibrary("gmodule-2.0")]),
        .target(name: "CTIFFShims", linkerSettings: [.linkedLibrary("tiff")]),
        .target(name: "CJPEGShims", dependencies: ["CPixelLoops"], linkerSettings: [.linkedLibrary("jpeg")]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CWebPMux", pkgConfig: "libwebpmux", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(name: "CLibXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CJxlShims"),
        .target(name: "CHeifShims", dependencies: ["CPixelLoops"]),
        .target(name: "CZBarShims", dependencies: ["CPixelLoops"]),
        .target(name: "CSandboxShims", linkerSettings: [.linkedLibrary("seccomp")]),
        .systemLibrary(
            name: "CFFmpeg", pkgConfig: "libavformat",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev", "libavutil-dev"])]),
        .target(name: "CFFmpegShims", dependencies: ["CFFmpeg", "CPixelLoops"]),
        .target(
            name: "CVideoEncoderShims", dependencies: ["CFFmpeg", "CPixelLoops"],
            linkerSettings: ["avformat", "avcodec", "avutil"].map { .linkedLibrary($0) }),
        .target(
            name: "HelperService",
            dependencies: ["AnalysisCore", "FileAccess", "HelperProtocol", "CLinuxShims", "CSandboxShims"],
            swiftSettings: settings),
        .target(
            name: "DecoderService",
            dependencies: [
                "AnalysisCore", "FileAccess", "HelperProtocol", "HelperService", "ViewerAgreement", "CLinuxShims",
                "CPixelLoops", "CZBarShims",
            ],
            swiftSettings: settings),
        .target(
            name: "ViewerAgreement", dependencies: ["AnalysisCore", "FileAccess", "CPixelLoops", "CZlib"],
            swiftSettings: settings),
        .target(
            name: "ImageDecoding",
            dependencies: [
                "AnalysisCore", "DecoderService", "FileAccess", "HelperProtocol", "ViewerAgreement", "CPixelLoops",
                "CVips", "CVipsShims", "CJPEGShims", "CTIFFShims", "CJxlShims", "CHeifShims", "CLCMS", "CLibXML",
                "CWebP", "CZlib",
            ],
            swiftSettings: settings),
        .target(
            name: "VideoDecoding",
            dependencies: [
                "AnalysisCore", "DecoderService", "FileAccess", "HelperProtocol", "ViewerAgreement", "CFFmpeg",
                "CFFmpegShims",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "sca-image-decoder", dependencies: ["DecoderService", "HelperService", "ImageDecoding"],
            swiftSettings: settings),
        .executableTarget(
            name: "sca-video-decoder", dependencies: ["DecoderService", "HelperService", "VideoDecoding"],
            swiftSettings: settings),
        .target(
            name: "MediaEncoding",
            dependencies: [
                "AnalysisCore", "FileAccess", "HelperProtocol", "HelperService", "CVideoEncoderShims", "CVips",
                "CVipsShims", "CWebP", "CWebPMux",
            ],
            swiftSettings: settings),
        .executableTarget(name: "sca-media-encoder", dependencies: ["MediaEncoding"], swiftSettings: settings),
        .target(name: "COpenVINO", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "ModelInference",
            dependencies: [
                "AnalysisCore", "COpenVINO", "CPixelLoops", "CompiledModels", "FileAccess", "Hashing", "HelperProtocol",
                "HelperService",
            ],
            resources: [.embedInCode("Libraries/x86_64.sha256"), .embedInCode("Libraries/aarch64.sha256")],
            swiftSettings: settings),
        .executableTarget(name: "sca-model-runner", dependencies: ["ModelInference"], swiftSettings: settings),
        .systemLibrary(
            name: "CPipeWire", pkgConfig: "libpipewire-0.3", providers: [.apt(["libpipewire-0.3-dev"])]),
        .target(name: "CPipeWireShims", dependencies: ["CPipeWire"]),
        .target(
            name: "PipeWireCapture", dependencies: ["CPipeWireShims", "CSandboxShims", "HelperProtocol"],
            swiftSettings: settings),
        .executableTarget(name: "sca-pipewire-source", dependencies: ["PipeWireCapture"], swiftSettings: settings),

        // What reads Core ML files, which come from strangers; the process that the command starts for it is closed.
        .target(
            name: "ModelFormats",
            dependencies: [
                .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: .when(traits: ["CoreML"]))
            ],
            exclude: ["CoreML.proto", "ONNX.proto"], swiftSettings: settings),
        .target(
            name: "ModelConversion",
            dependencies: [
                "AnalysisCore", "FileAccess", "HelperProtocol", "HelperService", "ModelFormats",
                .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: .when(traits: ["CoreML"])),
            ],
            swiftSettings: settings),
        .executableTarget(name: "sca-model-importer", dependencies: ["ModelConversion"], swiftSettings: settings),

        // The library, from the values at the bottom to Apple's surface at the top.
        .target(name: "CPixelLoops"),
        .target(name: "AnalysisCore", dependencies: ["CPixelLoops"], swiftSettings: settings),
        .target(name: "FileAccess", dependencies: ["AnalysisCore"], swiftSettings: settings),
        .target(name: "CLinuxShims"),
        .target(
            name: "HelperProtocol", dependencies: ["AnalysisCore", "FileAccess", "CLinuxShims"],
            swiftSettings: settings),
        .target(
            name: "HelperHost", dependencies: ["AnalysisCore", "FileAccess", "HelperProtocol", "CLinuxShims"],
            swiftSettings: settings),
        .target(name: "CCaptureShims"),
        .target(
            name: "VideoCapture",
            dependencies: ["AnalysisCore", "CCaptureShims", "CPixelLoops", "FileAccess", "HelperProtocol"],
            swiftSettings: settings),
        .systemLibrary(name: "CGcrypt", pkgConfig: "libgcrypt", providers: [.apt(["libgcrypt20-dev"])]),
        .target(name: "Hashing", dependencies: ["CGcrypt"], swiftSettings: settings),
        .target(name: "CompiledModels", dependencies: ["FileAccess", "Hashing"], swiftSettings: settings),
        .target(
            name: "ModelStore", dependencies: ["AnalysisCore", "CompiledModels", "Hashing"], swiftSettings: settings),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(
            name: "SensitivityPolicy",
            dependencies: ["AnalysisCore", "CSystemd"],
            swiftSettings: settings),
        .target(
            name: "AnalysisEngine",
            dependencies: [
                "AnalysisCore", "CompiledModels", "FileAccess", "Hashing", "HelperProtocol", "HelperHost", "ModelStore",
                "SensitivityPolicy",
            ],
            swiftSettings: settings),
        .target(
            name: "LiveStreams",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "FileAccess", "HelperHost", "HelperProtocol", "VideoCapture",
            ],
            swiftSettings: settings),
        .target(
            name: "SensitiveContentAnalysis",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "FileAccess", "HelperHost", "HelperProtocol", "LiveStreams",
                "SensitivityPolicy",
                "VideoCapture",
            ],
            swiftSettings: settings),

        // What to show and ask. Its words and resources are part of the program: a bundle could be missing beside it.
        .target(name: "CInterventionFiles"),
        .target(
            name: "InterventionKit",
            dependencies: [
                "AnalysisCore", "CInterventionFiles", "FileAccess", "Hashing", "SensitiveContentAnalysis",
                "SensitivityPolicy",
            ],
            exclude: ["Words/Words.xcstrings", "Help/HelpResources.json"], swiftSettings: settings),

        // An app's own downloads. Apart from the others, because it loads Foundation's networking.
        .target(name: "MediaLoading", swiftSettings: settings),

        // The command.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "VerdictCache",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "CSQLite", "FileAccess", "Hashing", "HelperHost", "HelperProtocol",
                "ModelStore",
            ],
            swiftSettings: settings),
        .target(name: "ModelEvaluation", swiftSettings: settings),
        .target(name: "JSONLines", dependencies: ["AnalysisCore", "AnalysisEngine"], swiftSettings: settings),
        .target(name: "CTestPatternFiles", exclude: ["Files"]),
        .target(
            name: "SCATool",
            dependencies: [
                "AnalysisCore", "AnalysisEngine", "CTestPatternFiles", "CZlib", "CompiledModels", "FileAccess",
                "Hashing",
                "HelperHost", "HelperProtocol", "InterventionKit", "JSONLines", "LiveStreams", "ModelEvaluation",
                "ModelStore", "SensitiveContentAnalysis", "SensitivityPolicy", "VerdictCache", "VideoCapture",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
                .product(name: "SwiftCSV", package: "SwiftCSV", condition: .when(traits: ["Command"])),
            ],
            resources: [.embedInCode("Report/report.css"), .embedInCode("Report/report.js")],
            swiftSettings: settings),
        .executableTarget(name: "sca", dependencies: ["SCATool"], swiftSettings: settings),
    ] + testTargets + fuzzTargets
)
