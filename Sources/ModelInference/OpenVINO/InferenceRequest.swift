// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import COpenVINO
internal import HelperProtocol

/// An OpenVINO inference request with its own tensors, for one run of the model and one thread at a time.
@safe
final class InferenceRequest: @unchecked Sendable {
    // @unchecked: each lane has a request of its own.

    private let library: OpenVINOLibrary
    private let request: OpaquePointer
    private let model: OpenVINOModel

    init(owning request: OpaquePointer, of library: OpenVINOLibrary, keeping model: OpenVINOModel) {
        unsafe self.request = request
        self.model = model
        self.library = library
    }

    deinit {
        unsafe library.functions.ov_infer_request_free(request)
    }

    /// Runs the model.
    ///
    /// - Parameters:
    ///   - valueCount: the number of values of the input.
    ///   - fill: writes all values of the input.
    /// - Throws: `unusable` if the model does not fit its manifest.
    func run(
        inputName: String, valueCount: Int, filling fill: (UnsafeMutableBufferPointer<Float>) -> Void
    ) throws(ModelFailure) {
        let values = try unsafe tensor(inputName).values(expecting: valueCount)
        // A name finds outputs as well. A picture in an output would leave old memory in the input.
        guard try unsafe UnsafeMutableRawPointer(values.baseAddress) == inputTensor().address else {
            throw ModelFailure(.unusable, "The name of the input in the manifest is not that of the model's input.")
        }
        unsafe fill(values)
        try unsafe library.check(library.functions.ov_infer_request_infer(request), "run the model")
    }

    /// Returns the values of an output after a run, which is one row of scores.
    ///
    /// - Throws: `unusable` for a map of heat or a list of boxes, of which one place is no score of the picture.
    func output(_ name: String) throws(ModelFailure) -> [Float] {
        let output = try tensor(name)
        let count = try output.elementCount()
        guard count > 0, count <= ModelOutputPlace.maximumColumnCount else {
            throw ModelFailure(.unusable, "An output of the model has an impossible size.")
        }
        let values = try unsafe output.values(expecting: count)
        guard try unsafe UnsafeMutableRawPointer(values.baseAddress) != inputTensor().address else {
            throw ModelFailure(.unusable, "The name of an output in the manifest is that of the model's input.")
        }
        // OpenVINO gives no shape of a single number.
        if count > 1 {
            let shape = try output.shape()
            guard Self.isRow(shape) else {
                let lengths = shape.map(String.init).joined(separator: " x ")
                throw ModelFailure(
                    .unusable,
                    "An output of the model has the shape \(lengths), which is no row of scores of a picture."
                        + " Export it with a mean or a maximum over its places.")
            }
        }
        return unsafe Array(values)
    }

    /// Whether a shape is that of one row: all its numbers are in the last dimension, or in the channels before 1 × 1.
    private static func isRow(_ shape: [Int]) -> Bool {
        let long = shape.indices.filter { shape[$0] != 1 }
        guard long.count <= 1 else { return false }
        return long.allSatisfy { $0 == shape.count - 1 || ($0 == 1 && shape.count > 3) }
    }

    /// Whether the model has an output.
    func has(_ output: MapOutput) -> Bool { (try? tensor(output.name)) != nil }

    /// Returns the map of a picture after a run; nil if the model has no such output.
    func map(_ output: MapOutput) throws(ModelFailure) -> PlaceMap? {
        let tensor = try tensor(output.name)
        let shape = try tensor.shape()
        guard shape.count == 4, shape[0] == 1,
            shape[1...].allSatisfy({ (1...NetworkEnd.largestColumnCount).contains($0) })
        else { return nil }
        let count = shape.reduce(1, *)
        return unsafe PlaceMap(
            rows: shape[2], columns: shape[3], scoreCount: shape[1], function: output.function,
            sums: Array(try tensor.values(expecting: count)))
    }

    /// The tensor of the model's only input.
    private func inputTensor() throws(ModelFailure) -> Tensor {
        var tensor: OpaquePointer?
        try unsafe library.check(
            library.functions.ov_infer_request_get_input_tensor(request, &tensor), "find the input of the model")
        guard let tensor = unsafe tensor else { throw ModelFailure(.unusable, "The model has no input.") }
        return unsafe Tensor(owning: tensor, of: library)
    }

    private func tensor(_ name: String) throws(ModelFailure) -> Tensor {
        var tensor: OpaquePointer?
        try unsafe library.check(
            library.functions.ov_infer_request_get_tensor(request, name, &tensor), "find the tensor of the manifest")
        guard let tensor = unsafe tensor else {
            throw ModelFailure(.unusable, "The model has no tensor of the name in the manifest.")
        }
        return unsafe Tensor(owning: tensor, of: library)
    }
}

/// An owned reference to a tensor of 32-bit floating point numbers.
@safe
private final class Tensor {
    let pointer: OpaquePointer
    private let library: OpenVINOLibrary

    init(owning pointer: OpaquePointer, of library: OpenVINOLibrary) {
        unsafe self.pointer = pointer
        self.library = library
    }

    deinit {
        unsafe library.functions.ov_tensor_free(pointer)
    }

    func shape() throws(ModelFailure) -> [Int] {
        var shape = ov_shape_t()
        try unsafe library.check(library.functions.ov_tensor_get_shape(pointer, &shape), "describe a tensor")
        defer { _ = unsafe library.functions.ov_shape_free(&shape) }
        guard unsafe (0...8).contains(shape.rank) else {
            throw ModelFailure(.unusable, "A tensor of the model has more than 8 dimensions.")
        }
        return unsafe (0..<Int(shape.rank)).map { unsafe Int(clamping: shape.dims[$0]) }
    }

    func elementCount() throws(ModelFailure) -> Int {
        var type: Int32 = 0
        try unsafe library.check(
            library.functions.ov_tensor_get_element_type(pointer, &type), "describe a tensor")
        guard type == Int32(COpenVINO_F32) else {
            throw ModelFailure(.unusable, "A tensor of the model is not of 32-bit floating point numbers.")
        }
        var size = 0
        try unsafe library.check(library.functions.ov_tensor_get_byte_size(pointer, &size), "describe a tensor")
        return size / MemoryLayout<Float>.stride
    }

    /// Returns the memory of the tensor, which is valid while the request exists and the tensor keeps its shape.
    func values(expecting count: Int) throws(ModelFailure) -> UnsafeMutableBufferPointer<Float> {
        guard try elementCount() == count else {
            throw ModelFailure(.unusable, "A tensor of the model has another size than the manifest says.")
        }
        return unsafe UnsafeMutableBufferPointer(start: try address.assumingMemoryBound(to: Float.self), count: count)
    }

    /// The address of the numbers.
    var address: UnsafeMutableRawPointer {
        get throws(ModelFailure) {
            var data: UnsafeMutableRawPointer?
            try unsafe library.check(library.functions.ov_tensor_data(pointer, &data), "give access to a tensor")
            guard let data = unsafe data else {
                throw ModelFailure(.unusable, "A tensor of the model has no memory.")
            }
            return unsafe data
        }
    }
}
