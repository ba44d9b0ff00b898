// swift-tools-version: 6.2
// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The programs that decode pictures and run the model are built beside the app.
let library: [Target.Dependency] = [
    .product(name: "SensitiveContentAnalysis", package: "sensitive-content-analysis"),
    .product(name: "sca-image-decoder", package: "sensitive-content-analysis"),
    .product(name: "sca-video-decoder", package: "sensitive-content-analysis"),
    .product(name: "sca-model-runner", package: "sensitive-content-analysis"),
]

let package = Package(
    name: "nudity-detector",
    dependencies: [.package(name: "sensitive-content-analysis", path: "../..", traits: [])],
    targets: [
        .target(name: "NudityDetector", dependencies: library),
        .executableTarget(name: "nudity-detector", dependencies: ["NudityDetector"]),
        .testTarget(
            name: "NudityDetectorTests", dependencies: ["NudityDetector"] + library, resources: [.copy("Pictures")]),
    ]
)
