// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelInference

/// The manifest of a model that somebody has added.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let manifest = try? JSONDecoder().decode(ModelManifest.self, from: Data(bytes)) { try? manifest.validate() }
    return 0
}
