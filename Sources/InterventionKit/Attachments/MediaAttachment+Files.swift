// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation
internal import SensitiveContentAnalysis
internal import Synchronization

extension MediaAttachment {
    /// Returns the local file; a remote file is downloaded first, unless an earlier download is still there.
    ///
    /// - Returns: the file; a file of the source `local` is returned without a check that it exists.
    /// - Throws: an error of the download, or `CancellationError`.
    public func file() async throws -> URL {
        let file = try await downloadedFile()
        // The person may have decided about a missing file. That decision does not hold for the downloaded file.
        noticeReplacement()
        return file
    }

    func downloadedFile() async throws -> URL {
        switch source {
        case .local(let file): return file
        case .remote(let address, let download):
            forgetLostFile()
            let work = state.withLock { state in
                // An abandoned download must end before the next begins, so it cannot deliver its file later.
                let work = state.download ?? SharedTask(isExclusive: true) { _ in try await download(address) }
                state.download = work
                return work
            }
            let file = try await work.value()
            // `tryAgain` may have started another download meanwhile.
            state.withLock { if $0.download === work { $0.localFile = file } }
            return file
        }
    }

    /// Forgets a finished download whose file is gone, for example from a cleaned folder, so that it is repeated.
    private func forgetLostFile() {
        let (file, download) = state.withLock { ($0.localFile, $0.download) }
        guard let file, let download, FileVersion(path: file.path) == nil else { return }
        state.withLock { if $0.download === download { ($0.localFile, $0.download) = (nil, nil) } }
    }

    /// Opens a local file, whose version is compared with that of the judged file.
    ///
    /// - Throws: `SensitivityAnalysisError` with `inputUnreadable`.
    static func opened(_ file: URL) throws(SensitivityAnalysisError) -> (OpenedFile, FileVersion) {
        guard let opened = OpenedFile(path: file.path), let version = opened.version else { throw unreadable }
        return (opened, version)
    }

    private static let unreadable = SensitivityAnalysisError(
        .inputUnreadable, message: "The file could not be opened. Check that it is still there.")

    /// Opens the judged file, if it may be seen or sent now.
    ///
    /// ```swift
    /// do {
    ///     guard attachment.flow.presentation.maySend, let file = try attachment.openUncoveredFile() else { return }
    ///     try await contact.send(file)
    /// } catch {
    ///     view.say("This was not sent. \(error.localizedDescription)")
    /// }
    /// ```
    ///
    /// Use this handle instead of the path, which may lead to another file if other programs can write to its folder. A
    /// program that already has the file open for writing can still change it. So keep media where only the app writes.
    ///
    /// - Returns: nil if the media is covered and may not be sent, is not on this machine, or is not the judged file.
    /// - Throws: `SensitivityAnalysisError` with `inputUnreadable` if the file cannot be opened. ``file()`` repeats a
    ///   download whose file is gone. The code is `invalidArgument` if the checker judges pixels and not files.
    public func openUncoveredFile() throws -> FileHandle? {
        let flow = self.flow
        let (file, checked) = state.withLock { ($0.localFile, $0.checked) }
        guard flow.presentation.isUncovered || flow.presentation.maySend, let file else { return nil }
        guard checked?.isAboutPixels != true else {
            throw SensitivityAnalysisError(
                .invalidArgument,
                message: "The pixels were judged, and not the file, which another program may show differently. Show"
                    + " displayedImage, or give the attachment a checker that displays files.")
        }
        guard let opened = OpenedFile(path: file.path), let handle = opened.handle() else {
            throw Self.unreadable
        }
        // Media may be open without a check, for example under a disabled policy.
        guard checked.map({ $0.version != nil && $0.version == opened.version }) ?? (flow.verdict == nil) else {
            return nil
        }
        // Compared after the file was opened, so a change before the opening is noticed.
        let isStillSo = self.flow.isSame(as: flow) && state.withLock { $0.checked == checked }
        return isStillSo ? handle : nil
    }

    /// Returns colour samples for the current cover, after a download if needed; a separate process decodes the
    /// picture.
    ///
    /// - Returns: samples with no more detail than the flow allows on return; nil if nothing covers the media.
    /// - Throws: an error of the download; `SensitivityAnalysisError` if no picture can be decoded, for which an app
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

    /// Returns samples for a cover; nil if the file is not the checked file, which the next read of the flow notices.
    private func samples(of file: URL, _ cover: InterventionPresentation.Cover) async throws -> CoverSamples? {
        // A full cover needs no judged file. If the file cannot be opened, this call throws the error.
        guard cover != .full, let opened = OpenedFile(path: file.path), let version = opened.version else {
            return try await checker.samples(of: file, .full)
        }
        guard state.withLock({ $0.checked?.version == version }) else { return nil }
        let samples = try await checker.samples(of: opened.url, cover)
        return opened.version == version ? samples : nil
    }
}
