// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import COpenVINO

/// A model compiled for this machine's processor.
@safe
final class CompiledModel: @unchecked Sendable {
    // @unchecked: OpenVINO documents compiled models as safe to use from several threads; they do not change.

    private let library: OpenVINOLibrary
    private let core: OpenVINOCore
    private let model: OpaquePointer
    /// What the model was loaded from: OpenVINO uses the weights where they are.
    let content: PrivateFile?

    /// Takes the model from the cache, or compiles it and puts it there.
    ///
    /// - Parameters:
    ///   - installed: the model, which is verified if it has to be compiled.
    ///   - streams: the number of pictures that are scored at once, each on one thread.
    ///   - content: the compiled form of the same model, where another has been loaded from it.
    /// - Throws: `modelUnavailable`.
    init(
        library: OpenVINOLibrary, _ installed: InstalledModel, streams: Int, cache: CompiledModelCache?,
        sharing content: PrivateFile? = nil
    ) throws(AnalysisFailure) {
        let core = try OpenVINOCore(library)
        // Full precision, so that scores agree between machines.
        try core.setProperties([
            ("NUM_STREAMS", String(streams)), ("INFERENCE_NUM_THREADS", String(streams)),
            ("INFERENCE_PRECISION_HINT", "f32"), ("ENABLE_CPU_PINNING", "NO"),
        ])
        let content = content ?? cache?.content()
        // A cache that cannot be used costs time and must not cost the model.
        if let content, let model = try? unsafe core.model(importedFrom: content) {
            unsafe self.model = model
            self.content = content
        } else {
            try installed.verify()
            let model = try unsafe core.model(
                compiledFrom: installed.modelPath, inputShape: installed.manifest.input.shape)
            cache?.store { path in
                try unsafe library.check(
                    library.functions.ov_compiled_model_export_model(model, path), "keep the compiled model")
            } isWhole: { copy in
                guard let trial = try? unsafe core.model(importedFrom: copy) else { return false }
                unsafe library.functions.ov_compiled_model_free(trial)
                return true
            }
            unsafe self.model = model
            self.content = nil
        }
        self.library = library
        self.core = core
    }

    deinit {
        unsafe library.functions.ov_compiled_model_free(model)
    }

    /// A place in which one thread can run the model.
    func makeRequest() throws(AnalysisFailure) -> InferenceRequest {
        var request: OpaquePointer?
        try unsafe library.check(
            library.functions.ov_compiled_model_create_infer_request(model, &request), "prepare an inference")
        guard let request = unsafe request else { throw OpenVINOLibrary.nothing }
        return unsafe InferenceRequest(owning: request, of: library, keeping: self)
    }
}
