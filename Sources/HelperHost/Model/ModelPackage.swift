// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import FileAccess
internal import Foundation
internal import Glibc

/// A folder `.mlpackage` with a Core ML model, whose files are open.
///
/// Source: coremltools, https://github.com/apple/coremltools/blob/main/modelpackage/src/ModelPackage.cpp
package struct ModelPackage: Sendable {
    package let model: OwnedDescriptor
    /// The file with the large constants of an ML program; nil if the package has none.
    package let weights: OwnedDescriptor?

    /// Opens the files of a package, and follows no link in it.
    ///
    /// - Throws: `inputUnreadable` with the remedy.
    package init(_ folder: OwnedDescriptor) throws(AnalysisFailure) {
        let path = try Self.pathOfModel(folder)
        guard let model = try folder.openRegularFile(below: path) else {
            throw AnalysisFailure(
                .inputUnreadable, "The package lacks the file of its model. Get a complete copy of the package.")
        }
        self.model = model
        weights = try folder.openRegularFile(below: path.dropLast() + ["weights", "weight.bin"])
    }

    /// The entries of a package's file `Manifest.json`.
    private struct Manifest: Decodable {
        struct Item: Decodable {
            var path: String
        }

        var itemInfoEntries: [String: Item]
        var rootModelIdentifier: String
    }

    private static func pathOfModel(_ folder: OwnedDescriptor) throws(AnalysisFailure) -> [String] {
        guard let file = try folder.openRegularFile(below: ["Manifest.json"]) else {
            throw AnalysisFailure(
                .inputUnreadable,
                "This folder has no Manifest.json. Name a file .mlmodel or a folder .mlpackage, and get a complete copy of it."
            )
        }
        guard let content = content(of: file), let manifest = try? JSONDecoder().decode(Manifest.self, from: content),
            let item = manifest.itemInfoEntries[manifest.rootModelIdentifier]
        else {
            throw AnalysisFailure(
                .inputUnreadable, "The Manifest.json of the package names no model. Get a complete copy of the package."
            )
        }
        return ["Data"] + item.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the bytes of a manifest; nil if it is too long for one.
    private static func content(of file: OwnedDescriptor) -> Data? {
        var bytes = [UInt8](repeating: 0, count: mostManifestBytes + 1)
        var count = 0
        while count < bytes.count {
            let step = unsafe bytes[count...].withUnsafeMutableBytes {
                unsafe read(file.number, $0.baseAddress, $0.count)
            }
            if step < 0 && errno == EINTR { continue }
            guard step >= 0 else { return nil }
            if step == 0 { return Data(bytes[..<count]) }
            count += step
        }
        return nil
    }

    private static let mostManifestBytes = 1 << 18
}
