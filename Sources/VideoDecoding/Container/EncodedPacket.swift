// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims

/// One encoded frame, or a piece of sound.
@safe
final class EncodedPacket {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(DecodingFailure) {
        guard let packet = unsafe av_packet_alloc() else { throw DecodingFailure(.outOfMemory) }
        unsafe pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe av_packet_free(&packet)
    }

    var streamIndex: Int { unsafe Int(pointer.pointee.stream_index) }
    /// Where it lies in the file, in bytes; negative where that is not known.
    var position: Int64 { unsafe pointer.pointee.pos }
    var byteCount: Int { unsafe Int(pointer.pointee.size) }
    var isKey: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Whether the demuxer knows that bytes are missing.
    var isDamaged: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Whether the frame is decoded and not shown, as the demuxer has it.
    var isHidden: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// When the frame is shown, in units of the stream; the moment of decoding where nothing else is known.
    var timestamp: Int64? {
        let (shown, decoded) = unsafe (pointer.pointee.pts, pointer.pointee.dts)
        if shown != CFFmpegShims_no_timestamp { return shown }
        return decoded == CFFmpegShims_no_timestamp ? nil : decoded
    }
    /// In units of the stream; 0 where it is not known.
    var duration: Int64 { unsafe max(0, pointer.pointee.duration) }

    /// A copy of the encoded data.
    var bytes: [UInt8] { bytes(at: 0, count: byteCount) }

    /// A copy of a part of the encoded data; empty where some of it lies before their beginning.
    func bytes(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, offset < byteCount else { return [] }
        return unsafe [UInt8](
            UnsafeBufferPointer(start: pointer.pointee.data + offset, count: min(count, byteCount - offset)))
    }

    /// What the decoder has to be told from this packet on, where a stream changes on its way.
    var newParameters: [UInt8]? {
        var size = 0
        guard let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size), size > 0 else {
            return nil
        }
        return unsafe [UInt8](UnsafeBufferPointer(start: data, count: size))
    }

    /// - Throws: `outOfMemory`.
    func setNewParameters(_ parameters: [UInt8]) throws(DecodingFailure) {
        let count = parameters.count
        guard let data = unsafe av_packet_new_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, count) else {
            throw DecodingFailure(.outOfMemory, detail: "parameters of a decoder")
        }
        _ = unsafe UnsafeMutableBufferPointer(start: data, count: count).update(fromContentsOf: parameters)
    }

    /// Gives the packet a number, under which its frame comes back from the decoder.
    func label(_ number: Int64) {
        unsafe pointer.pointee.pts = number
        unsafe pointer.pointee.dts = CFFmpegShims_no_timestamp
    }
}
