// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("The folders that are searched")
struct InstallationPathsTests {
    @Test("Helpers are looked for beside the program, then where they are installed, then where the variable says")
    func helpers() {
        let paths = InstallationPaths(
            environment: ["HOME": "/home/a", "SCA_LIBEXEC": "/opt/x"], executableFolder: "/srv/app")
        #expect(
            paths.helpers == [
                "/srv/app", "/home/a/.local/libexec/sensitive-content-analysis",
                "/usr/local/libexec/sensitive-content-analysis", "/usr/libexec/sensitive-content-analysis", "/opt/x",
            ])
    }

    @Test("A program in a bin folder belongs to the installation around it")
    func ownPrefix() {
        let paths = InstallationPaths(environment: [:], executableFolder: "/opt/sca/bin")
        #expect(paths.models.first == "/opt/sca/share/sensitive-content-analysis/models")
        #expect(paths.inferenceLibraries.first == "/opt/sca/lib/sensitive-content-analysis/openvino")
        #expect(paths.cache == nil)
    }

    @Test("Relative paths in the environment are not obeyed")
    func relative() {
        let paths = InstallationPaths(
            environment: ["HOME": "home", "SCA_LIBEXEC": "x", "SCA_MODELS": ".", "XDG_CACHE_HOME": "c"],
            executableFolder: nil)
        #expect((paths.helpers + paths.models + paths.inferenceLibraries).allSatisfy { $0.hasPrefix("/") })
        #expect(paths.cache == nil && paths.userModels == nil)
    }
}
