// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#if !canImport(CoreVideo)
/// A code of four characters.
public typealias OSType = UInt32
#endif
