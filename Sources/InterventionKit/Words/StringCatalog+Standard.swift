// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension StringCatalog {
    /// The catalogue of this package: English, German and Spanish.
    public static let standard: StringCatalog = {
        do {
            return try StringCatalog(parsing: Data(PackageResources.Words_xcstrings))
        } catch {
            // Compiled into the program, so that it reads the same everywhere: CatalogTests find a fault in it.
            fatalError("The catalogue of the package cannot be read: \(error)")
        }
    }()
}
