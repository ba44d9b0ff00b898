// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Glibc
import MediaLoading
import SensitiveContentAnalysis
import TestSupport
import Testing

/// The app's kinds of media, as the property of the seed "Implementing SensitiveContentAnalysis in SwiftUI" uses them.
private enum MediaTypeCategory: String {
    case standard, video
}

private struct Asset {
    var fileURL: URL?
}

extension Data {
    /// Writes the data into a new file; the seed has the name.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    fileprivate func yai_fileURL(_ pathExtension: String) -> URL? {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(pathExtension)")
        return (try? write(to: url)).map { url }
    }
}

private struct YAIAttachment {
    var mediaType = "standard"
    var isAssetRemote = false
    var viewAssetDecryptedURL: URL?
    var asset: Asset?

    // The seed's property, unchanged.
    // swift-format-ignore
    var isSensitive: Bool {
        get async throws {
            let analyzer: SCSensitivityAnalyzer = .init()

            /// You have to download the asset to the device locally. You can't load it from a remote URL
            /// or the validation won't work

            let mediaType: MediaTypeCategory = MediaTypeCategory(rawValue: self.mediaType) ?? .standard
            let remoteURL: URL = self.isAssetRemote ? self.viewAssetDecryptedURL! : self.asset!.fileURL!
            let (data, _) = try await URLSession.shared.data(from: remoteURL)

            if mediaType == .video {
                let videoURL: URL = data.yai_fileURL("mp4") ?? URL(fileURLWithPath: "")
                let response = analyzer.videoAnalysis(forFileAt: videoURL)
                let isSensitive = try await response.hasSensitiveContent().isSensitive
                return isSensitive
            }

            let imageURL: URL = data.yai_fileURL("png") ?? URL(fileURLWithPath: "")
            let response = try await analyzer.analyzeImage(at: imageURL)
            return response.isSensitive
        }
    }
}

extension SeedSnippetTests {
    /// Calls a function with the address of a server on loopback that serves the fixtures.
    private func withServer(_ body: (URL) async throws -> Void) async throws {
        let server = Process()
        server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        server.arguments = ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
        server.currentDirectoryURL = TestFiles.fixtures
        let output = Pipe()
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        defer {
            // The server inherits the signals that threads of tests block, so no other signal ends it.
            kill(server.processIdentifier, SIGKILL)
            server.waitUntilExit()
        }
        var line = ""
        while !line.contains("\n") {
            let bytes = output.fileHandleForReading.availableData
            line += String(decoding: bytes, as: UTF8.self)
            if bytes.isEmpty { break }
        }
        let match = try #require(line.firstMatch(of: /port (\d+)/), "the server says \(line)")
        try await body(try #require(URL(string: "http://127.0.0.1:\(match.1)/")))
    }

    @Test
    func `A pipe, a device and a folder are no files with readable data, and do not block the caller`() async throws {
        try await TestFiles.withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            for path in [pipe, "/dev/zero", folder.path] {
                let url = try #require(URL(string: "file://\(path)"))
                await #expect("\(path)") { try await URLSession.shared.data(from: url) } throws: {
                    ($0 as? CocoaError).map { $0.code != .fileReadNoSuchFile } == true
                }
            }
        }
    }

    @Test(
        "The second seed's property judges local and remote media, and throws for missing media",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
    func secondSeed() async throws {
        try await withPolicy(.simpleInterventions) {
            let local = YAIAttachment(asset: Asset(fileURL: picture))
            let isSensitive = try await local.isSensitive
            #expect(!isSensitive)
            let missing = YAIAttachment(asset: Asset(fileURL: URL(fileURLWithPath: TestFiles.missing)))
            await #expect { try await missing.isSensitive } throws: {
                ($0 as? CocoaError)?.code == .fileReadNoSuchFile
            }
            let folder = YAIAttachment(asset: Asset(fileURL: TestFiles.fixtures))
            await #expect(throws: CocoaError.self) { try await folder.isSensitive }
            try await withServer { address in
                func remote(_ name: String, _ mediaType: String = "standard") -> YAIAttachment {
                    YAIAttachment(
                        mediaType: mediaType, isAssetRemote: true,
                        viewAssetDecryptedURL: address.appendingPathComponent(name))
                }
                let isSensitive = try await remote("plain/plain.jpg").isSensitive
                #expect(!isSensitive)
                // The server's page about the missing file is no picture.
                await #expect { try await remote("missing.jpg").isSensitive } throws: {
                    ($0 as? SensitivityAnalysisError)?.code == .unsupportedMedia
                }
                // A picture that calls itself a video is judged as what it is.
                let isSensitiveAsVideo = try await remote("plain/plain.jpg", "video").isSensitive
                #expect(!isSensitiveAsVideo)
            }
            let unreachable = YAIAttachment(
                isAssetRemote: true, viewAssetDecryptedURL: URL(string: "http://127.0.0.1:1/a.jpg"))
            await #expect(throws: URLError.self) { try await unreachable.isSensitive }
        }
    }
}
