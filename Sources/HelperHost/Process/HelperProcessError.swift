// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HelperProtocol

/// The reason for which a helper process has given no usable reply.
enum HelperProcessError: Error, Sendable, Equatable {
    case cannotStart(TransportError)
    case differentVersion(String)
    case lacksLayers([SandboxLayer])
    /// The process has ended; the value is nil if the kind of end is not known yet.
    case ended(ChildProcess.Ending?)
    case timedOut
    /// Another program has stopped the process, which then gave no reply in time.
    case stopped
    /// The reply took long, and the host stopped waiting because other files wait.
    case gaveWay
    case invalidAnswer
    /// The process sent a reply to another request, perhaps about the previous file.
    case unaskedAnswer
    /// The model's process cannot use the model or the library that it was given.
    case refused(ModelFailure)
    /// The views of a picture do not fit the shared memory.
    case tooManyPixels
    /// The system lacks resources for the request, with the errno value; the file has no fault.
    case hostShortage(Int32)

    static let shortages = [EMFILE, ENFILE, EAGAIN, ENOMEM, ENOBUFS, ETOOMANYREFS]

    /// The errno value if the system lacks resources, otherwise nil.
    var shortage: Int32? {
        switch self {
        case .hostShortage(let number): number
        case .cannotStart(.systemCall(_, let number)) where Self.shortages.contains(number): number
        default: nil
        }
    }
}
