// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import DecoderProtocol

/// What a decoder, or somebody in its place, says; what is understood is said again in the same words.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let reply = try? DecoderReply(decoding: bytes), let header = try? MessageHeader(of: bytes) {
        let again = try? DecoderReply(decoding: reply.encoded(answering: header.serial))
        precondition(again == reply, "a reply changes when it is written and read")
    }
    if let request = try? DecoderRequest(decoding: bytes), let header = try? MessageHeader(of: bytes) {
        let again = try? DecoderRequest(decoding: request.encoded(as: header.serial))
        precondition(again == request, "a request changes when it is written and read")
    }
    return 0
}
