// swift-tools-version: 6.2
// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// IntegrationTests/test-second-package puts a repository with the tag 145.0.0 in the place of REPOSITORY.
let package = Package(
    name: "version",
    dependencies: [.package(url: "REPOSITORY", exact: "145.0.0")],
    targets: [
        .executableTarget(
            name: "version",
            dependencies: [.product(name: "SensitiveContentAnalysis", package: "sensitive-content-analysis")])
    ]
)
