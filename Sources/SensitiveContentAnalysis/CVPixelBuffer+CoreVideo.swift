// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AnalysisCore

#if !canImport(CoreVideo)
// The functions and constants of Core Video that apps need to fill a frame, under Apple's names.

/// The code of ``CVPixelBuffer/PixelFormat/bgra32``: "BGRA".
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// The code of ``CVPixelBuffer/PixelFormat/rgba32``: "RGBA".
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// The code of ``CVPixelBuffer/PixelFormat/nv12VideoRange``: "420v".
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// The code of ``CVPixelBuffer/PixelFormat/nv12FullRange``: "420f".
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// The code of ``CVPixelBuffer/PixelFormat/i420VideoRange``: "y420".
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// The code of ``CVPixelBuffer/PixelFormat/i420FullRange``: "f420".
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230

/// The options of locking a frame.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt64

    /// Creates options from their bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The memory is only read.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Creates a frame with memory of its own.
///
/// ```swift
/// var created: CVPixelBuffer?
/// let result = unsafe CVPixelBufferCreate(
///     kCFAllocatorDefault, 640, 480, kCVPixelFormatType_32BGRA, nil, &created)
/// guard result == kCVReturnSuccess, let pixelBuffer = created else {
///     return view.cover("There is no memory for a frame (\(result)).")
/// }
/// if let memory = unsafe CVPixelBufferGetBaseAddress(pixelBuffer) {
///     unsafe decoder.copyFrame(to: memory, bytesPerRow: CVPixelBufferGetBytesPerRow(pixelBuffer))
///     streamAnalyzer.analyze(pixelBuffer)
/// }
/// ```
///
/// - Parameters:
///   - allocator: an allocator, which has no meaning here.
///   - width: the width in pixels.
///   - height: the height in pixels.
///   - pixelFormatType: the code of the format.
///   - attributes: attributes of the frame, which have no meaning here.
///   - pixelBufferOut: the place for the frame.
/// - Returns: ``kCVReturnSuccess`` or the reason for which there is no frame.
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType, _ attributes: [String: Any]?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard let format = CVPixelBuffer.PixelFormat.allCases.first(where: { $0.code == pixelFormatType }) else {
        return kCVReturnInvalidPixelFormat
    }
    do {
        unsafe pixelBufferOut.pointee = try CVPixelBuffer(width: width, height: height, pixelFormat: format)
        return kCVReturnSuccess
    } catch {
        let isTooLarge = (error as? SensitivityAnalysisError)?.code == .limitExceeded
        return isTooLarge ? kCVReturnAllocationFailed : kCVReturnInvalidArgument
    }
}

/// Does nothing, because the memory of a frame here can always be read.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags) -> CVReturn
{
    kCVReturnSuccess
}

/// Does nothing, because the memory of a frame here can always be read.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
    _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn { kCVReturnSuccess }

/// Returns the width of a frame, in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Returns the height of a frame, in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Returns the code of a frame's format.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.pixelFormat.code }

/// Returns the number of planes; 0 for formats with one plane, as Core Video does.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
    let count = pixelBuffer.pixelFormat.planeCount
    return count == 1 ? 0 : count
}

/// Returns the width of a plane, in samples.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.size(ofPlane: planeIndex).width
}

/// Returns the height of a plane, in samples.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.size(ofPlane: planeIndex).height
}

/// Returns the first sample of a frame; the address is valid as long as the frame.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    unsafe CVPixelBufferGetBaseAddressOfPlane(pixelBuffer, 0)
}

/// Returns the first sample of a plane; the address is valid as long as the frame.
public func CVPixelBufferGetBaseAddressOfPlane(
    _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
    guard 0..<pixelBuffer.pixelFormat.planeCount ~= planeIndex else { return nil }
    return unsafe pixelBuffer.withPlane(planeIndex) { $0.baseAddress }
}

/// Returns the distance between the starts of two rows, in bytes.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.bytesPerRow(ofPlane: 0) }

/// Returns the distance between the starts of two rows of a plane, in bytes; 0 for a plane that does not exist.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    0..<pixelBuffer.pixelFormat.planeCount ~= planeIndex ? pixelBuffer.bytesPerRow(ofPlane: planeIndex) : 0
}

extension CVPixelBuffer {
    fileprivate func size(ofPlane index: Int) -> (width: Int, height: Int) {
        0..<pixelFormat.planeCount ~= index
            ? pixelFormat.ofCore.size(ofPlane: index, width: width, height: height) : (0, 0)
    }
}

extension CVPixelBuffer.PixelFormat {
    /// The code of the format in Core Video.
    fileprivate var code: OSType {
        switch self {
        case .bgra32: kCVPixelFormatType_32BGRA
        case .rgba32: kCVPixelFormatType_32RGBA
        case .nv12VideoRange: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        case .nv12FullRange: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        case .i420VideoRange: kCVPixelFormatType_420YpCbCr8Planar
        case .i420FullRange: kCVPixelFormatType_420YpCbCr8PlanarFullRange
        }
    }
}
#endif
