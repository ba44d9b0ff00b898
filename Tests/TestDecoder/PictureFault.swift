// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import FileAccess
import Glibc
import HelperProtocol

/// A fault of a decoder that writes a picture for an app; the words in its media name it.
enum PictureFault: String {
    case none = "whole none"
    /// The picture is larger than the app asked for.
    case tooLarge = "whole too-large"
    /// The picture is larger than the picture in the file.
    case grown = "whole grown"
    /// The picture has more pixels than the limit.
    case beyondLimit = "whole beyond-limit"
    case noPixels = "whole no-pixels"
    /// The memory stays mapped for writing after the reply.
    case keepsMemory = "whole keeps-memory"
    /// The reply to the memory is about another request.
    case wrongReply = "whole wrong-reply"
    /// The process ends when it gets the memory.
    case dies = "whole dies"
    /// The picture cannot be decoded after its size was told.
    case fails = "whole fails"
    /// The video decoder is said to decode the picture.
    case elsewhere = "whole elsewhere"
    /// The end of a frame is not behind its start.
    case backwards = "whole backwards"
    /// A frame begins behind the longest video.
    case late = "whole late"
    /// There is no end of frames.
    case endless = "whole endless"

    init?(_ media: OwnedDescriptor) {
        self.init(rawValue: Puppet.words(of: media).joined(separator: " "))
    }

    /// The size of a copy of a film.
    var filmByteCount: UInt64 {
        switch self {
        case .noPixels: 0
        case .beyondLimit: 1 << 30
        case .tooLarge: .max
        default: 4 * 100 * 100
        }
    }

    /// Returns the reply to a request for the size of the picture.
    func size(_ request: WholePictureRequest) -> HelperReply {
        guard self != .elsewhere else { return .media(MediaReply(format: .qoi, trackCount: 0, sequence: .wholeFile)) }
        return .wholePicture(size(within: Int(min(request.maximumEdge, 100))))
    }

    /// Returns the reply to a request for a frame; without a fault, there are three.
    func frame(_ number: UInt64) -> HelperReply {
        guard number < 3 || self == .endless else {
            return .trackEnd(TrackEnd(duration: 3, decodedFrameCount: 3, longestUnseen: 0))
        }
        let start = self == .late ? 1 << 51 : number
        return .wholeFrame(
            size(within: 100), TimeSpan(start: start, end: self == .backwards ? start : start + 1))
    }

    private func size(within edge: Int) -> WholePictureReply {
        let (width, original) =
            switch self {
            case .tooLarge: (edge + 1, 1000)
            case .grown: (edge, edge - 1)
            case .beyondLimit: (20_000, 20_000)
            case .noPixels: (0, edge)
            default: (edge, edge)
            }
        return WholePictureReply(
            format: .png, width: width, height: width, hasOpacity: true, originalWidth: original,
            originalHeight: original)
    }

    /// Returns the reply after the memory has come.
    func reply(_ memory: OwnedDescriptor?) throws -> HelperReply? {
        guard let memory else { return nil }
        let size = 4 * 100 * 100
        let pixels = [UInt8](repeating: 200, count: size)
        try unsafe pixels.withUnsafeBytes {
            unsafe try WritablePictureMemory(memory, byteCount: size).write($0, at: 0)
        }
        switch self {
        case .keepsMemory: unsafe _ = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.number, 0)
        case .dies: return nil
        case .wrongReply: return .closed
        case .fails: return .failure(DecodingFailure(.malformed, format: .png))
        default: break
        }
        return .wholePictureWritten(isDamaged: false)
    }
}
