// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzedParsers

/// The parser that `SCA_PARSER` names; one program serves all parsers, so that one build does.
private let parser: FuzzedParser = {
    let name = ProcessInfo.processInfo.environment["SCA_PARSER"] ?? ""
    guard let parser = FuzzedParser(rawValue: name) else {
        fatalError("SCA_PARSER names no parser; there are \(FuzzedParser.allCases.map(\.rawValue)).")
    }
    return parser
}()

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe parser.stopAtContradiction(start, count)
}
