// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// How apps tell the framework of the 27 systems from the one before.
#if canImport(SensitiveContentAnalysis, _version: 146)
print("at least 146")
#elseif canImport(SensitiveContentAnalysis, _version: 145)
import SensitiveContentAnalysis

let types: Set<SCSensitivityAnalysis.ContentType> = [.sexuallyExplicit, .goreOrViolence]
print(types.count == 2 ? "at least 145, not 146" : "types are missing")
#elseif canImport(SensitiveContentAnalysis)
print("less than 145")
#else
print("nothing")
#endif
