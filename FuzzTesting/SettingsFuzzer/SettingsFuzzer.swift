// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import SensitivityPolicy

/// The settings of a person and of an administrator, and what changes one switch in them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try? AdministratorSettings(parsing: text)
    guard (try? UserSettings(parsing: text)) != nil,
        let changed = try? SettingsEditor.setting(UserSettings.Key.testMode, to: true, of: text)
    else { return 0 }
    precondition((try? UserSettings(parsing: changed))?.isTestMode == true, "the switch is not set")
    return 0
}
