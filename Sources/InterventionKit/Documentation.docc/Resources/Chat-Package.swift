// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "chat",
    dependencies: [
        .package(path: "../sensitive-content-analysis")
    ],
    targets: [
        .executableTarget(
            name: "chat",
            dependencies: [
                .product(name: "InterventionKit", package: "sensitive-content-analysis"),
                .product(name: "SensitiveContentAnalysis", package: "sensitive-content-analysis"),
                .product(name: "sca-image-decoder", package: "sensitive-content-analysis"),
                .product(name: "sca-video-decoder", package: "sensitive-content-analysis"),
                .product(name: "sca-model-runner", package: "sensitive-content-analysis"),
            ])
    ]
)
