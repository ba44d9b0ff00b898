// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import COpenVINO
internal import CompiledModels
internal import FileAccess
internal import Glibc
internal import Hashing
package import HelperProtocol

/// A model in OpenVINO, compiled for this machine's processor.
@safe
package final class OpenVINOModel: @unchecked Sendable {
    // @unchecked: OpenVINO documents compiled models as safe to use from several threads; they do not change.

    /// The version of OpenVINO.
    package let libraryVersion: String
    package let wasCompiled: Bool
    /// The length of the compiled model that was written to `ModelSource.room`, in bytes; 0 if there is none.
    package private(set) var compiledByteCount = 0
    private let library: OpenVINOLibrary
    private let core: OpenVINOCore
    private let model: OpaquePointer
    /// The compiled copy from which the model was loaded, kept because OpenVINO uses its weights in place.
    private let content: FileCopy?

    /// Loads the compiled copy, or verifies and compiles the model.
    ///
    /// This takes about a tenth of a second with a compiled copy, and about a second without.
    ///
    /// - Parameters:
    ///   - outputs: the names of the output tensors whose maps are added.
    ///   - lanes: the number of pictures that are scored at once.
    ///   - limitMemory: bounds the memory that the process may add, in bytes; called before OpenVINO sees the model.
    ///   - beside: other work, which the thread that reads the compiled copy does after the reading.
    /// - Throws: `unusable` with the remedy.
    package init(
        _ source: ModelSource, input: ModelInput, outputs: [String], lanes: Int, limitMemory: (Int) -> Void = { _ in },
        beside: @escaping @Sendable () -> Void = {}
    ) throws(ModelFailure) {
        let files = OpenVINOFiles.ofThisProcessor
        // Another thread reads and hashes the compiled copy while this thread loads the libraries, which saves time.
        let copy = BoundedChannel<FileCopy?>(capacity: 1)
        let isReading = BackgroundThread.start {
            _ = copy.put(source.compiledCopy.flatMap { Self.content(of: $0.file, state: $0.state) })
            beside()
        }
        let library = try OpenVINOLibrary(folder: source.libraryFolder, files: files)
        let core = try OpenVINOCore(library)
        // Computation in 32 bits makes scores agree between machines.
        try core.setProperties([
            ("NUM_STREAMS", String(lanes)), ("INFERENCE_NUM_THREADS", String(Self.threadCount(lanes))),
            ("INFERENCE_PRECISION_HINT", "f32"), ("ENABLE_CPU_PINNING", "NO"),
        ])
        let found = isReading ? copy.take(within: .seconds(60)) ?? nil : nil
        // A network that takes the process over must not change the file, which later starts would believe.
        if let file = source.compiledCopy?.file { Self.replaceByNothing(file) }
        if let found { limitMemory(Self.memory(forBytes: unsafe found.bytes.count)) }
        if let content = found, let model = try? unsafe core.model(importedFrom: content) {
            unsafe self.model = model
            self.content = content
            wasCompiled = false
        } else {
            // The state of a copy covers the libraries as well; without a copy, the bytes of the libraries are checked.
            try files.verify(in: source.libraryFolder)
            let file = try Self.verified(source)
            Self.replaceByNothing(source.model)
            let contents = try unsafe ONNXContents(of: file.bytes)
            limitMemory(Self.memory(forBytes: contents.tensorByteCount))
            let maps = try unsafe MapOutput.bytes(for: outputs, addedTo: file.bytes)
            // A network whose end only looks like one with a map is used without it.
            if !maps.isEmpty,
                let model = try? unsafe Self.compiled(Array(file.bytes) + maps, input.shape, core)
            {
                unsafe self.model = model
            } else {
                unsafe self.model = try Self.compiled(Array(file.bytes), input.shape, core)
            }
            content = nil
            wasCompiled = true
        }
        self.library = library
        self.core = core
        libraryVersion = library.version
        try checkInputs()
        if wasCompiled, let room = source.room { compiledByteCount = export(to: room) }
    }

    deinit {
        unsafe library.functions.ov_compiled_model_free(model)
    }

    /// Refuses a network with several inputs: nothing would fill the others, so they would hold old memory.
    private func checkInputs() throws(ModelFailure) {
        var count = 0
        try unsafe library.check(
            library.functions.ov_compiled_model_inputs_size(model, &count), "count the inputs of the model")
        guard count == 1 else {
            throw ModelFailure(
                .unusable,
                "The model has \(count) inputs, and one picture is all there is. Export it with one input.")
        }
    }

    private static func compiled(
        _ content: [UInt8], _ shape: [Int], _ core: OpenVINOCore
    ) throws(ModelFailure) -> OpaquePointer {
        let result = unsafe content.withUnsafeBytes { content in
            unsafe Result { () throws(ModelFailure) in
                try unsafe core.model(compiledFrom: content, inputShape: shape)
            }
        }
        return unsafe try result.get()
    }

    /// The number of threads on which the model runs.
    ///
    /// A process with one lane scores its known drawings and the first pictures on two cores, because the decoder is
    /// idle then. Its start takes a tenth less time. With several lanes, one core a lane scores more pictures a second.
    private static func threadCount(_ lanes: Int) -> Int {
        lanes == 1 ? min(2, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) : lanes
    }

    /// Makes a request with which one thread can run the model.
    func makeRequest() throws(ModelFailure) -> InferenceRequest {
        var request: OpaquePointer?
        try unsafe library.check(
            library.functions.ov_compiled_model_create_infer_request(model, &request), "prepare an inference")
        guard let request = unsafe request else { throw OpenVINOLibrary.nothing }
        return unsafe InferenceRequest(owning: request, of: library, keeping: self)
    }

    /// Returns the compiled model in a kept file, or nil if the file is damaged or was made from other files.
    private static func content(of file: OwnedDescriptor, state: [UInt8]) -> FileCopy? {
        guard let copy = FileCopy(file, maximumByteCount: maximumByteCount),
            let length = unsafe CompiledCopyTrailer.contentLength(of: copy.bytes, state: state)
        else { return nil }
        copy.trim(to: length)
        return copy
    }

    /// Returns the model's bytes after a check of their hash: a file that differs by one bit may give any score.
    private static func verified(_ source: ModelSource) throws(ModelFailure) -> FileCopy {
        guard let content = FileCopy(source.model, maximumByteCount: maximumByteCount),
            unsafe content.bytes.count == source.modelByteCount, var hash = try? SHA256()
        else { throw changed }
        unsafe hash.update(content.bytes)
        guard let digest = try? hash.digest(), digest.bytes == source.modelDigest else { throw changed }
        return content
    }

    /// Writes the compiled model, and loads it as a test, because OpenVINO does not notice that memory runs out.
    ///
    /// - Returns: the length in bytes, or 0 if the model cannot be kept, which only makes the next start slower.
    private func export(to room: OwnedDescriptor) -> Int {
        guard
            unsafe library.functions.ov_compiled_model_export_model(model, "/proc/self/fd/\(room.number)") == 0,
            let copy = FileCopy(room, maximumByteCount: Self.maximumByteCount),
            let trial = try? unsafe core.model(importedFrom: copy)
        else { return 0 }
        unsafe library.functions.ov_compiled_model_free(trial)
        return unsafe copy.bytes.count
    }

    /// Makes a descriptor refer to the null device, because its file could be opened again by its number.
    private static func replaceByNothing(_ file: OwnedDescriptor) {
        let null = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard null >= 0 else { return }
        dup2(null, file.number)
        _ = fcntl(file.number, F_SETFD, FD_CLOEXEC)
        close(null)
    }

    /// Returns the bytes of address space that OpenVINO may add for a model with this many bytes of weights.
    private static func memory(forBytes byteCount: Int) -> Int { bytesOfLibrary + copiesOfWeights * byteCount }

    /// The bytes of address space for any model: libraries, and the stacks and heaps of threads.
    private static let bytesOfLibrary = 1 << 30
    /// The bytes of address space for each byte of weights; compiling open_nsfw takes eight.
    private static let copiesOfWeights = 16

    private static let changed = ModelFailure(
        .unusable,
        "The file of the model is not the one that its manifest describes: size or SHA-256 differ. It was not used."
            + " Install the model anew.")
    private static let maximumByteCount = 4 << 30
}
