// swift-tools-version: 6.2
import PackageDescription

let linux = TargetDependencyCondition.when(platforms: [.linux])
let package = Package(
    name: "chat",
    dependencies: [
        .package(name: "sensitive-content-analysis", path: "../sensitive-content-analysis", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "chat",
            dependencies: [
                .product(name: "InterventionKit", package: "sensitive-content-analysis", condition: linux),
                .product(name: "SensitiveContentAnalysis", package: "sensitive-content-analysis", condition: linux),
                .product(name: "sca-image-decoder", package: "sensitive-content-analysis", condition: linux),
                .product(name: "sca-video-decoder", package: "sensitive-content-analysis", condition: linux),
                .product(name: "sca-model-runner", package: "sensitive-content-analysis", condition: linux),
            ])
    ]
)
