// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// On Apple's systems, Foundation's own method reads files as well.
#if canImport(FoundationNetworking)

public import Foundation
public import FoundationNetworking
internal import Glibc

extension URLSession {
    /// Returns the content of a URL, on this machine or on a network, as `URLSession` does on Apple's systems.
    ///
    /// ```swift
    /// import FoundationNetworking
    /// import MediaLoading
    ///
    /// do {
    ///     let (data, _) = try await URLSession.shared.data(from: fileURL)
    ///     view.isCovered = try await analyzer.analyzeImage(data: data).isSensitive
    /// } catch {
    ///     view.isCovered = true
    /// }
    /// ```
    ///
    /// Foundation's method of this name refuses URLs of files on Linux. This one reads them, and hands all other URLs to
    /// it. Swift prefers this one, because it has no second parameter.
    ///
    /// - Returns: the content, and a response without a type for a file.
    /// - Throws: `CocoaError` if a file is missing, is no regular file or cannot be read; `URLError` for other URLs.
    public func data(from url: URL) async throws -> (Data, URLResponse) {
        guard url.isFileURL else { return try await data(from: url, delegate: nil) }
        let data = try Self.content(ofFile: url)
        return (
            data, URLResponse(url: url, mimeType: nil, expectedContentLength: data.count, textEncodingName: nil)
        )
    }

    /// Reads a regular file; a pipe without a writer would keep the caller waiting.
    private static func content(ofFile url: URL) throws -> Data {
        let (descriptor, number) = url.withUnsafeFileSystemRepresentation { path -> (Int32, Int32) in
            guard let path = unsafe path else { return (-1, EINVAL) }
            let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            return (descriptor, errno)
        }
        guard descriptor >= 0 else {
            let code: CocoaError.Code =
                switch number {
                case ENOENT: .fileReadNoSuchFile
                case EINVAL: .fileReadInvalidFileName
                default: .fileReadNoPermission
                }
            throw CocoaError(code, userInfo: [NSURLErrorKey: url])
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: url])
        }
        return try file.readToEnd() ?? Data()
    }
}

#endif
