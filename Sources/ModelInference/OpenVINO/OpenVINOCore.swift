// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import COpenVINO
internal import HelperProtocol

/// An OpenVINO core with one set of properties, which compiles and loads models.
@safe
final class OpenVINOCore: @unchecked Sendable {
    // @unchecked: OpenVINO documents cores as safe to use from several threads.

    private let library: OpenVINOLibrary
    private let core: OpaquePointer

    init(_ library: OpenVINOLibrary) throws(ModelFailure) {
        var core: OpaquePointer?
        let status = unsafe withUnsafePointer(to: library.functions) { functions in
            unsafe COpenVINO_create_core(functions, Self.escapedForXML(library.folder), &core)
        }
        try library.check(status, "start")
        guard let core = unsafe core else { throw OpenVINOLibrary.nothing }
        unsafe self.core = core
        self.library = library
    }

    deinit {
        unsafe library.functions.ov_core_free(core)
    }

    /// Sets the properties with which models are compiled and run from now on.
    func setProperties(_ properties: [(key: String, value: String)]) throws(ModelFailure) {
        for (key, value) in properties {
            let status = unsafe key.withCString { key in
                unsafe value.withCString { value in
                    var property = unsafe ov_property_t(key: key, value: value)
                    return unsafe library.functions.ov_core_set_properties(core, Self.device, 1, &property)
                }
            }
            try library.check(status, "take its properties")
        }
    }

    /// Reads a model and compiles it for one shape of its input.
    ///
    /// - Parameter content: the bytes of the ONNX file.
    /// - Returns: a reference that the caller frees.
    func model(compiledFrom content: UnsafeRawBufferPointer, inputShape: [Int]) throws(ModelFailure) -> OpaquePointer {
        var source: OpaquePointer?
        try unsafe library.check(
            library.functions.ov_core_read_model_from_memory_buffer(
                core, content.baseAddress?.assumingMemoryBound(to: CChar.self), content.count, nil, &source),
            "read the model")
        guard let source = unsafe source else { throw OpenVINOLibrary.nothing }
        defer { unsafe library.functions.ov_model_free(source) }
        var dimensions = inputShape.map { ov_dimension_t(min: Int64($0), max: Int64($0)) }
        let rank = ov_dimension_t(min: Int64(dimensions.count), max: Int64(dimensions.count))
        let status = unsafe dimensions.withUnsafeMutableBufferPointer { buffer in
            unsafe library.functions.ov_model_reshape_single_input(
                source, ov_partial_shape_t(rank: rank, dims: buffer.baseAddress))
        }
        try library.check(status, "give the model's one input the shape in the manifest")
        var model: OpaquePointer?
        try unsafe library.check(
            library.functions.ov_core_compile_model_props(core, source, Self.device, 0, nil, &model),
            "compile the model")
        guard let model = unsafe model else { throw OpenVINOLibrary.nothing }
        return unsafe model
    }

    /// Loads a model that this version of OpenVINO has compiled.
    ///
    /// - Parameter content: the compiled model, which must outlive the result, because its weights are used in place.
    /// - Returns: a reference that the caller frees.
    func model(importedFrom content: FileCopy) throws(ModelFailure) -> OpaquePointer {
        var model: OpaquePointer?
        try unsafe library.check(
            library.functions.ov_core_import_model(
                core, content.bytes.baseAddress?.assumingMemoryBound(to: CChar.self), content.bytes.count, Self.device,
                &model), "load the compiled model")
        guard let model = unsafe model else { throw OpenVINOLibrary.nothing }
        return unsafe model
    }

    private static func escapedForXML(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }

    private static let device = "CPU"
}
