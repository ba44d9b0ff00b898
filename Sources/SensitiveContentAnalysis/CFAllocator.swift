// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#if !canImport(CoreVideo)
/// An allocator of Core Foundation, which does not exist here.
public enum CFAllocator: Sendable {}
/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = nil
#endif
