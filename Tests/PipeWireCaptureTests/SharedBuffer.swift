// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import CPipeWireShims
import Glibc
import Testing

/// A buffer as a source of PipeWire shares it, whose memory has exactly the stated number of bytes.
struct SharedBuffer {
    var format: CPipeWireShims_SourceFormat
    var width: UInt32
    var height: UInt32
    var bytes: [UInt8]
    var stride: Int32 = 0
    var crop = CPipeWireShims_Crop()
    /// The number of bytes that the source says it wrote; nil for all.
    var statedSize: UInt32?
    var statedOffset: UInt32 = 0
    /// A descriptor in the place of memory.
    var descriptor: Int32 = -1
    /// The clockwise quarter turns.
    var turns: UInt32 = 0
    var limits = CPipeWireShims_Limits(max_edge: 4096, max_pixels: 1 << 24)

    struct Packed: Equatable {
        var isBiplanar: Bool
        var width: UInt32
        var height: UInt32
        var bytes: [UInt8]
    }

    /// Whether other programs show parts that the packed frame does not have.
    func hidesParts() -> Bool { result().hidesParts }

    /// The packed and turned frame, or nil if the buffer is refused.
    func packed() -> Packed? { result().frame }

    func result() -> (code: CPipeWireShims_PackingResult, frame: Packed?, hidesParts: Bool) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: bytes)
        var block = CPipeWireShims_Block()
        block.memory = descriptor < 0 ? UnsafePointer(memory.bindMemory(to: UInt8.self).baseAddress!) : nil
        block.descriptor = descriptor
        block.capacity = UInt32(bytes.count)
        block.size = statedSize ?? UInt32(bytes.count)
        block.offset = statedOffset
        block.stride = stride
        var buffer = CPipeWireShims_Buffer()
        (buffer.format, buffer.width, buffer.height, buffer.crop) = (format, width, height, crop)
        buffer.block_count = 1
        buffer.blocks.0 = block
        var packing = CPipeWireShims_Packing()
        defer { CPipeWireShims_packing_free(&packing) }
        var frame = CPipeWireShims_Frame()
        frame.quarter_turns = turns
        var limits = limits
        let code = CPipeWireShims_pack(&buffer, &limits, &packing, &frame)
        guard code == CPipeWireShims_packed else { return (code, nil, false) }
        let hidesParts = CPipeWireShims_hides_parts(&buffer, &packing)
        guard CPipeWireShims_turn(&frame, &packing) else { return (code, nil, hidesParts) }
        return (
            code,
            Packed(
                isBiplanar: frame.format == CPipeWireShims_NV12, width: frame.width, height: frame.height,
                bytes: Array(UnsafeBufferPointer(start: frame.bytes, count: frame.byte_count))), hidesParts
        )
    }
}
