// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#if !canImport(CoreVideo)
/// The result of a function; 0 for success.
public typealias CVReturn = Int32

/// The result of a function that succeeded.
public let kCVReturnSuccess: CVReturn = 0
/// The result of a function with an impossible argument.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// The result of a function that lacked memory.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The result of a function for a format that frames cannot have here.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
#endif
