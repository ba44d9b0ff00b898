// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims

/// A packet with one encoded frame or a piece of sound.
@safe
final class EncodedPacket {
    let pointer: UnsafeMutablePointer<AVPacket>
    /// The packet with the opacity of the frame, where a track of its own holds it.
    var opacity: EncodedPacket?

    init() throws(DecodingFailure) {
        guard let packet = unsafe av_packet_alloc() else { throw DecodingFailure(.outOfMemory) }
        unsafe pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe av_packet_free(&packet)
    }

    var streamIndex: Int { unsafe Int(pointer.pointee.stream_index) }
    /// The position of the packet in the file, in bytes; negative if it is unknown.
    var position: Int64 { unsafe pointer.pointee.pos }
    var byteCount: Int { unsafe Int(pointer.pointee.size) }
    /// The size of the packet with the opacity of its frame, which Matroska files store beside it, in bytes.
    var byteCountWithOpacity: Int {
        var size = 0
        _ = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size)
        return byteCount + size
    }
    var isKey: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Whether the demuxer has found that bytes are missing.
    var isDamaged: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Whether the demuxer marks the frame as decoded but not shown.
    var isHidden: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// The presentation or else the decoding timestamp, in units of the stream; nil if the packet has neither.
    var timestamp: Int64? {
        let (shown, decoded) = unsafe (pointer.pointee.pts, pointer.pointee.dts)
        if shown != CFFmpegShims_no_timestamp { return shown }
        return decoded == CFFmpegShims_no_timestamp ? nil : decoded
    }
    /// Whether the packet says when its frame is shown; otherwise `timestamp` is the moment of decoding.
    var hasPresentationTimestamp: Bool { unsafe pointer.pointee.pts != CFFmpegShims_no_timestamp }
    /// The duration in units of the stream, or 0 if it is unknown.
    var duration: Int64 { unsafe max(0, pointer.pointee.duration) }

    /// A copy of the encoded data.
    var bytes: [UInt8] { bytes(at: 0, count: byteCount) }

    /// Returns a copy of a part of the encoded data, or no bytes if the part begins outside of the data.
    func bytes(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, offset < byteCount else { return [] }
        return unsafe [UInt8](
            UnsafeBufferPointer(start: pointer.pointee.data + offset, count: min(count, byteCount - offset)))
    }

    /// Whether the packet says something besides its data that changes how its frame looks.
    var changesLook: Bool {
        [AV_PKT_DATA_NEW_EXTRADATA, AV_PKT_DATA_PARAM_CHANGE, AV_PKT_DATA_PALETTE, AV_PKT_DATA_DISPLAYMATRIX]
            .contains { unsafe av_packet_get_side_data(pointer, $0, nil) != nil }
    }
    /// Whether the packet has the opacity of its frame beside its data.
    var hasOpacity: Bool { byteCountWithOpacity > byteCount }

    /// The new decoder parameters that apply from this packet on, or nil if they do not change.
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

    /// Gives the packet a number, under which the decoder returns its frame.
    func label(_ number: Int64) {
        unsafe pointer.pointee.pts = number
        unsafe pointer.pointee.dts = CFFmpegShims_no_timestamp
        opacity?.label(number)
    }
}
