// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension StringCatalog {
    /// The catalogue of this package: English, German and Spanish.
    public static let standard: StringCatalog = {
        do {
            return try StringCatalog(parsing: Data(PackageResources.Words_xcstrings))
        } catch {
            // Part of the program, and read by a test.
            fatalError("The catalogue of the package cannot be read: \(error)")
        }
    }()
}
