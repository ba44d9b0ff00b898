// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation
internal import SensitiveContentAnalysis
internal import Synchronization

extension MediaAttachment {
    /// The file on this machine; downloads it, where that has not been done or the file is gone.
    ///
    /// - Throws: what the download throws, or `CancellationError`.
    public func file() async throws -> URL {
        let file = try await downloadedFile()
        // It may have come after the person has decided about what could not be had.
        noticeReplacement()
        return file
    }

    func downloadedFile() async throws -> URL {
        switch source {
        case .local(let file): return file
        case .remote(let address, let download):
            forgetLostFile()
            let work = state.withLock { state in
                // One at a time, until another try is asked for: what an abandoned one brings must not come later.
                let work = state.download ?? SharedTask(isExclusive: true) { _ in try await download(address) }
                state.download = work
                return work
            }
            let file = try await work.value()
            // Not where another try was asked for meanwhile.
            state.withLock { if $0.download === work { $0.localFile = file } }
            return file
        }
    }

    /// Forgets a download whose file is gone, for example from a folder that is cleaned, so that it can be had again.
    private func forgetLostFile() {
        let (file, download) = state.withLock { ($0.localFile, $0.download) }
        guard let file, let download, FileVersion(path: file.path) == nil else { return }
        state.withLock { if $0.download === download { ($0.localFile, $0.download) = (nil, nil) } }
    }

    /// Opens the file that may be seen or sent now: the one that was judged, and no other under its name.
    ///
    /// What opens the file by its name may meet another one, where others can write to its folder. Who has the file open
    /// for writing already can still change it: media belongs where only the app writes.
    ///
    /// - Returns: nil where the media is covered and may not be sent, or is not on this machine.
    /// - Throws: `SensitivityAnalysisError` with `inputUnreadable` where the file cannot be opened. A download that is
    ///   gone comes back by ``file()``.
    public func openUncoveredFile() throws -> FileHandle? {
        let flow = self.flow
        let (file, checked) = state.withLock { ($0.localFile, $0.checked) }
        guard flow.presentation.isUncovered || flow.presentation.maySend, let file else { return nil }
        guard let opened = OpenedFile(path: file.path), let handle = opened.handle() else {
            throw SensitivityAnalysisError(
                .inputUnreadable, message: "The file could not be opened. Check that it is still there.")
        }
        // Where nobody wants a check, none has ended.
        guard checked.map({ $0.version != nil && $0.version == opened.version }) ?? (flow.verdict == nil) else {
            return nil
        }
        // Opened first and asked then, so that nothing has changed in between.
        let isStillSo = self.flow.isSame(as: flow) && state.withLock { $0.checked == checked }
        return isStillSo ? handle : nil
    }

    /// What covers the media now, made of its first picture in a process of its own; downloads it, where that has not
    /// been done.
    ///
    /// - Returns: samples that tell no more than the flow allows at the end; nil where nothing covers the media.
    /// - Throws: what the download throws; `SensitivityAnalysisError` where no picture can be decoded, for which an app
    ///   shows a plain cover; or `CancellationError`.
    public func coverSamples() async throws -> CoverSamples? {
        while true {
            try Task.checkCancellation()
            let cover = flow.presentation.cover
            guard cover != .none else { return nil }
            let samples = try await samples(of: file(), cover)
            if let samples, flow.presentation.cover <= cover { return samples }
        }
    }

    /// - Returns: nil where the file is not the one about which the person has decided; the next look at the flow finds
    ///   it replaced.
    private func samples(of file: URL, _ cover: InterventionPresentation.Cover) async throws -> CoverSamples? {
        // What cannot be opened is gone, or has an error to be told; a cover of it tells nothing more.
        guard cover != .full, let opened = OpenedFile(path: file.path), let version = opened.version else {
            return try await checker.samples(of: file, .full)
        }
        guard state.withLock({ $0.checked?.version == version }) else { return nil }
        let samples = try await checker.samples(of: opened.url, cover)
        return opened.version == version ? samples : nil
    }
}
