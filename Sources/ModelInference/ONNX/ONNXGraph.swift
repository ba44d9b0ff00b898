// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol

/// The nodes of the graph in an ONNX file, and the weights that they name.
///
/// Source: the field numbers of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
@safe
struct ONNXGraph {
    /// An operation of the graph.
    struct Node {
        var type = ""
        var inputs: [String] = []
        var outputs: [String] = []
        /// The whole numbers of attributes, by name.
        var numbers: [String: [Int]] = [:]
        /// The real numbers of attributes, by name.
        var reals: [String: Float] = [:]
    }

    private var producers: [String: Node] = [:]
    private var tensors: [String: UnsafeRawBufferPointer] = [:]

    /// Reads the graph of a file.
    ///
    /// - Parameter file: the bytes of the file, which must outlive the graph.
    /// - Throws: `unusable` if the bytes are no ONNX file.
    init(of file: UnsafeRawBufferPointer) throws(ModelFailure) {
        try unsafe Self.forEachMessage(in: file) { field, bytes throws(ModelFailure) in
            guard field == 7 else { return }
            try unsafe Self.forEachMessage(in: bytes) { field, bytes throws(ModelFailure) in
                if field == 1 {
                    let node = try unsafe Node(bytes)
                    for output in node.outputs where !output.isEmpty { producers[output] = node }
                } else if field == 5 {
                    unsafe tensors[try Self.name(ofTensor: bytes)] = bytes
                }
            }
        }
    }

    /// Returns the operation that gives a tensor; nil for weights and inputs.
    func producer(of tensor: String) -> Node? { producers[tensor] }

    /// Returns the dimensions and the 32-bit numbers of weights; nil for other tensors.
    func weights(_ name: String) throws(ModelFailure) -> (dimensions: [Int], values: [Float])? {
        guard let tensor = unsafe tensors[name] else { return nil }
        var (dimensions, values, type) = ([Int](), [Float](), UInt64(0))
        var fields = unsafe ProtobufFields(tensor)
        while let (field, value) = try fields.next() {
            switch (field, value) {
            case (1, .number(let number)): dimensions.append(Int(clamping: number))
            case (1, .bytes(let bytes)):
                dimensions += try unsafe ProtobufFields.numbers(in: bytes).map { Int(clamping: $0) }
            case (2, .number(let number)): type = number
            case (4, .fixed(let bytes)), (4, .bytes(let bytes)), (9, .bytes(let bytes)):
                unsafe values += Self.floats(bytes)
            default: break
            }
        }
        var count = 1
        for dimension in dimensions {
            let (product, isTooLarge) = count.multipliedReportingOverflow(by: dimension)
            guard !isTooLarge else { return nil }
            count = product
        }
        guard type == Self.float, values.count == count else { return nil }
        return (dimensions, values)
    }

    /// Returns the whole numbers of a tensor, such as axes; nil for other tensors.
    func wholeNumbers(_ name: String) throws(ModelFailure) -> [Int]? {
        guard let tensor = unsafe tensors[name] else { return nil }
        var (numbers, type) = ([Int](), UInt64(0))
        var fields = unsafe ProtobufFields(tensor)
        while let (field, value) = try fields.next() {
            switch (field, value) {
            case (2, .number(let number)): type = number
            case (7, .number(let number)): numbers.append(Int(truncatingIfNeeded: number))
            case (7, .bytes(let bytes)):
                numbers += try unsafe ProtobufFields.numbers(in: bytes).map { Int(truncatingIfNeeded: $0) }
            case (9, .bytes(let bytes)):
                unsafe numbers += stride(from: 0, to: bytes.count - 7, by: 8).map {
                    unsafe Int(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)))
                }
            default: break
            }
        }
        return type == Self.int64 ? numbers : nil
    }

    private static func name(ofTensor tensor: UnsafeRawBufferPointer) throws(ModelFailure) -> String {
        var name = ""
        try unsafe forEachMessage(in: tensor) { field, bytes throws(ModelFailure) in
            if field == 8 { unsafe name = String(decoding: bytes, as: UTF8.self) }
        }
        return name
    }

    private static func floats(_ bytes: UnsafeRawBufferPointer) -> [Float] {
        stride(from: 0, to: unsafe bytes.count - 3, by: 4).map {
            unsafe Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
        }
    }

    /// Calls the closure for each field that is a text or a message.
    fileprivate static func forEachMessage(
        in message: UnsafeRawBufferPointer, _ body: (Int, UnsafeRawBufferPointer) throws(ModelFailure) -> Void
    ) throws(ModelFailure) {
        var fields = unsafe ProtobufFields(message)
        while let (field, value) = try fields.next() {
            if case .bytes(let bytes) = value { try unsafe body(field, bytes) }
        }
    }

    /// The numbers of element types in ONNX.
    private static let (float, int64) = (UInt64(1), UInt64(7))
}

extension ONNXGraph.Node {
    fileprivate init(_ message: UnsafeRawBufferPointer) throws(ModelFailure) {
        try unsafe ONNXGraph.forEachMessage(in: message) { field, bytes throws(ModelFailure) in
            switch field {
            case 1: unsafe inputs.append(String(decoding: bytes, as: UTF8.self))
            case 2: unsafe outputs.append(String(decoding: bytes, as: UTF8.self))
            case 4: unsafe type = String(decoding: bytes, as: UTF8.self)
            case 5: try unsafe readAttribute(bytes)
            default: break
            }
        }
    }

    private mutating func readAttribute(_ message: UnsafeRawBufferPointer) throws(ModelFailure) {
        var (name, values) = ("", [Int]())
        var real: Float?
        var fields = unsafe ProtobufFields(message)
        while let (field, value) = try fields.next() {
            switch (field, value) {
            case (1, .bytes(let bytes)): unsafe name = String(decoding: bytes, as: UTF8.self)
            case (2, .fixed(let bytes)): unsafe real = ONNXGraph.real(bytes)
            case (3, .number(let number)), (8, .number(let number)): values.append(Int(truncatingIfNeeded: number))
            case (8, .bytes(let bytes)):
                values += try unsafe ProtobufFields.numbers(in: bytes).map { Int(truncatingIfNeeded: $0) }
            default: break
            }
        }
        if !values.isEmpty { numbers[name] = values }
        if let real { reals[name] = real }
    }
}

extension ONNXGraph {
    fileprivate static func real(_ bytes: UnsafeRawBufferPointer) -> Float? { unsafe floats(bytes).first }
}
