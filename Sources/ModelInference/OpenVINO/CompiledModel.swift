// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import COpenVINO

/// A model compiled for this machine's processor.
@safe
final class CompiledModel: @unchecked Sendable {
    // @unchecked: OpenVINO documents compiled models as safe to use from several threads; they do not change.

    private let library: OpenVINOLibrary
    private let core: OpaquePointer
    private let model: OpaquePointer

    /// - Parameters:
    ///   - streams: the number of pictures that are scored at once, each on one thread.
    ///   - cacheFolder: where the compiled model is kept for quick starts, or nil.
    /// - Throws: `modelUnavailable`.
    init(library: OpenVINOLibrary, path: String, streams: Int, cacheFolder: String?) throws(AnalysisFailure) {
        self.library = library
        var core: OpaquePointer?
        try unsafe library.check(library.functions.ov_core_create(&core), "start")
        guard let core = unsafe core else { throw Self.nothing }
        // OPTIMIZE_SPEED keeps the weights in the form in which they are used; the default mode takes four times as
        // long to load. Full precision, so that scores agree between machines.
        var properties = [
            "NUM_STREAMS", String(streams), "INFERENCE_NUM_THREADS", String(streams),
            "INFERENCE_PRECISION_HINT", "f32",
        ]
        if let cacheFolder { properties += ["CACHE_DIR", cacheFolder, "CACHE_MODE", "OPTIMIZE_SPEED"] }
        var model: OpaquePointer?
        do throws(AnalysisFailure) {
            let status = unsafe withCStrings(properties) { pointers in
                unsafe withUnsafePointer(to: library.functions) { functions in
                    unsafe COpenVINO_compile_model(
                        functions, core, path, "CPU", pointers, properties.count / 2, &model)
                }
            }
            try library.check(status, "compile the model")
            guard let model = unsafe model else { throw Self.nothing }
            var inputs = 0
            try unsafe library.check(
                library.functions.ov_compiled_model_inputs_size(model, &inputs), "describe the model")
            guard inputs == 1 else {
                throw AnalysisFailure(.modelUnavailable, "The model has \(inputs) inputs, and one is supported.")
            }
        } catch {
            if let model = unsafe model { unsafe library.functions.ov_compiled_model_free(model) }
            unsafe library.functions.ov_core_free(core)
            throw error
        }
        unsafe self.core = core
        unsafe self.model = model!
    }

    deinit {
        unsafe library.functions.ov_compiled_model_free(model)
        unsafe library.functions.ov_core_free(core)
    }

    /// A place in which one thread can run the model.
    func makeRequest() throws(AnalysisFailure) -> InferenceRequest {
        var request: OpaquePointer?
        try unsafe library.check(
            library.functions.ov_compiled_model_create_infer_request(model, &request), "prepare an inference")
        guard let request = unsafe request else { throw Self.nothing }
        return unsafe InferenceRequest(owning: request, of: library, keeping: self)
    }

    private static let nothing = AnalysisFailure(.modelUnavailable, "OpenVINO gave no object and no error.")
}

/// Calls the closure with the strings as C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    // One buffer for all, since it must outlive the pointers into it.
    var bytes: [CChar] = []
    var starts: [Int] = []
    for string in strings {
        starts.append(bytes.count)
        bytes += string.utf8CString
    }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
        let pointers = unsafe starts.map { unsafe UnsafePointer<CChar>?(buffer.baseAddress! + $0) }
        return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
    }
}
