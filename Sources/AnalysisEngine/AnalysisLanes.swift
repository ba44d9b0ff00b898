// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// Two queues for the same work: one for new files, and one for postponed files.
///
/// Only a few postponed files run at a time, so decoders always remain for new files.
struct AnalysisLanes: Sendable {
    private let ordinary: ResourcePool<Void>
    private let patient: ResourcePool<Void>

    /// - Parameters:
    ///   - ordinaryCount: the number of new files that run at once.
    ///   - patientCount: the number of postponed files that run in addition; at least one.
    ///   - isInTrouble: whether files have recently kept decoders from answering. The newest and the oldest file are
    ///     then served by turns, so a thousand hostile files delay later files for a moment only.
    init(ordinaryCount: Int, patientCount: Int, isInTrouble: @escaping @Sendable () -> Bool) {
        ordinary = ResourcePool(
            maximumCount: ordinaryCount, maximumWaitingCount: Self.maximumWaitingCount, alternating: isInTrouble
        ) {}
        // A postponed file has left the first queue, so the second queue has a bound of its own.
        patient = ResourcePool(
            maximumCount: patientCount, maximumWaitingCount: Self.maximumWaitingCount, alternating: isInTrouble
        ) {}
    }

    /// Runs the closure when the first queue admits the file, and again in the second queue if the file was postponed.
    ///
    /// - Throws: `limitExceeded` if too many files wait, `CancellationError`, and the errors of the closure.
    func run<Value: Sendable>(_ body: @Sendable (DecodingUrgency) async throws -> Value) async throws -> Value {
        try await Self.sayingHowManyWait {
            do {
                return try await ordinary.withResource { _ in try await body(.ordinary) }
            } catch let postponed as DecodingPostponed {
                return try await patient.withResource { _ in try await body(postponed.urgency) }
            }
        }
    }

    /// Replaces the error of a full queue by a failure that states the number of waiting inputs.
    static func sayingHowManyWait<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch is ResourcePoolFull {
            throw AnalysisFailure(
                .limitExceeded,
                "\(maximumWaitingCount) inputs wait to be analysed already. Ask again when some of them are done.")
        }
    }

    /// The largest number of waiting inputs, more than any app shows at once; each takes a few kilobytes.
    static let maximumWaitingCount = 10_000
}
