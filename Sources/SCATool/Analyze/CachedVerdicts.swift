// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import Hashing
internal import HelperHost
internal import HelperProtocol
internal import Synchronization
internal import VerdictCache

/// Analyses files whose verdict is not in the cache, and stores the verdicts of unchanged files.
struct CachedVerdicts: Sendable {
    private let cache: VerdictStore
    private let conditions: VerdictConditions
    private let threads: ResourcePool<WorkerThread>
    /// Whether the digest of a file that has not changed is taken from the cache.
    private let remembersFiles: Bool
    /// Bounds the memory of large copies.
    private let largeCopies = ResourcePool<Void>(maximumCount: 2) {}

    /// Opens the cache for the analyses of a run.
    ///
    /// - Parameters:
    ///   - purpose: a word that keeps verdicts of other analyses apart.
    ///   - remembersFiles: whether an unchanged file is recognised by its times and not read. Another program could change
    ///     a file without new times, so this is for nothing that protects anybody.
    /// - Throws: `VerdictStore.Failure` if the cache cannot be used, and `AnalysisFailure` without a model.
    init(
        _ authority: AnalysisAuthority, modelName: String?, _ options: MediaOptions, _ limits: LimitOptions,
        purpose: String = "analysis", remembersFiles: Bool = false
    ) throws {
        guard let root = authority.paths.cache else { throw VerdictStore.Failure.homeless }
        cache = try VerdictStore(root: root)
        conditions = try VerdictConditions(
            authority, modelName: modelName, preset: options.preset,
            searchesEveryPicture: options.searchesEveryPicture, limits: limits.limits,
            requiresSandbox: limits.requireSandbox, purpose: purpose)
        self.remembersFiles = remembersFiles
        threads = ResourcePool(maximumCount: 2) { WorkerThread() }
    }

    /// Returns the stored analysis of a file, or analyses the file and stores the result; and whether it was stored.
    ///
    /// - Parameter analyze: analyses an input that the closure passes to it.
    func analysis(
        of file: OwnedDescriptor,
        analyzing analyze:
            @Sendable (@escaping @Sendable () throws -> DecoderInput) async throws -> FileAnswer<MediaAnalysis>
    ) async throws -> (FileAnswer<MediaAnalysis>, isCached: Bool) {
        // A large file cannot be kept from changing during its analysis, so its verdict is not kept.
        guard let byteCount = FileState(file)?.byteCount, (1...JudgedContent.largestCopy).contains(byteCount) else {
            return (try await analyze { .open(file) }, false)
        }
        let digest =
            if let kept = keptDigest(of: file) { kept } else {
                try await threads.withResource { thread in await thread.result { self.digest(of: file) } }
            }
        guard let digest, let key = try? VerdictKey(content: digest, conditions) else {
            return (try await analyze { .open(file) }, false)
        }
        if let analysis = cache.analysis(for: key) { return (.value(analysis), true) }
        guard byteCount > Self.largestOrdinaryCopy else {
            return try await judge(JudgedContent(file, byteCount, digest), key, analyze)
        }
        return try await largeCopies.withResource { _ in
            try await judge(JudgedContent(file, byteCount, digest), key, analyze)
        }
    }

    /// Returns the digest that the cache has of a file in its present state; nil if there is none.
    private func keptDigest(of file: OwnedDescriptor) -> SHA256Digest? {
        guard remembersFiles, let state = FileState(file) else { return nil }
        return cache.digest(ofFile: state)
    }

    private func digest(of file: OwnedDescriptor) -> SHA256Digest? {
        guard remembersFiles, let state = FileState(file) else { return FileDigest.digest(of: file) }
        let digest = FileDigest.digest(of: file)
        if let digest, FileState(file) == state { cache.store(digest, ofFile: state) }
        return digest
    }

    private func judge(
        _ content: JudgedContent, _ key: VerdictKey,
        _ analyze: @Sendable (@escaping @Sendable () throws -> DecoderInput) async throws -> FileAnswer<MediaAnalysis>
    ) async throws -> (FileAnswer<MediaAnalysis>, isCached: Bool) {
        let answer = try await analyze(content.input)
        if case .value(let analysis) = answer, content.isUnchanged { cache.store(analysis, for: key) }
        return (answer, false)
    }

    /// The size of a copy above which few files are copied at once, in bytes.
    private static let largestOrdinaryCopy = 8 << 20
}

/// The content of a file that is judged, which must be the content that was hashed: a sealed copy.
///
/// The file itself could be exchanged between the two, and mapped memory changes without a new time.
private final class JudgedContent: Sendable {
    /// The largest file that is copied, in bytes.
    static let largestCopy = 64 << 20

    private let file: OwnedDescriptor
    private let byteCount: Int
    private let digest: SHA256Digest
    /// The copy, and whether it has the digest.
    private let copy = Mutex<(memory: SealedMemory, isEqual: Bool)?>(nil)

    init(_ file: OwnedDescriptor, _ byteCount: Int, _ digest: SHA256Digest) {
        (self.file, self.byteCount, self.digest) = (file, byteCount, digest)
    }

    @Sendable func input() throws -> DecoderInput {
        let memory = try copy.withLock { copy in
            if let copy { return copy.memory }
            let memory = try Self.copy(of: file, byteCount)
            copy = (memory, FileDigest.digest(of: memory.descriptor) == digest)
            return memory
        }
        return .memory(memory)
    }

    /// Whether the judged content is the content that was hashed.
    var isUnchanged: Bool { copy.withLock { $0?.isEqual ?? false } }

    private static func copy(of file: OwnedDescriptor, _ byteCount: Int) throws -> SealedMemory {
        do {
            return try unsafe SealedMemory.filled(byteCount: byteCount) { buffer in
                var position = 0
                let count = unsafe file.readPieces { piece in
                    // A file that grows meanwhile is copied up to its earlier size.
                    let rest = min(piece.count, buffer.count - position)
                    guard rest > 0 else { return }
                    unsafe (buffer.baseAddress! + position).copyMemory(from: piece.baseAddress!, byteCount: rest)
                    position += rest
                }
                guard count != nil, position == byteCount else {
                    throw AnalysisFailure(
                        .inputUnreadable, "The file could not be read to its end, or it has changed. Analyse it again.")
                }
            }
        } catch TransportError.systemCall(let call, let number) {
            throw AnalysisFailure(
                .inputUnreadable, "There is no memory for the file (\(call), error \(number)). Close other programs.")
        }
    }
}
