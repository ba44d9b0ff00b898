// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// Two queues for the same work: one in which files come, and one for those that have had to make room in it.
///
/// Files in the second are few at a time, so that decoders remain for the first whatever the files are.
struct AnalysisLanes: Sendable {
    private let ordinary: ResourcePool<Void>
    private let patient: ResourcePool<Void>

    /// - Parameters:
    ///   - ordinaryCount: how many files are worked on at once.
    ///   - patientCount: how many of those that have made room are, besides; at least one.
    ///   - isInTrouble: whether files have lately kept decoders from answering. Then who comes last is served by turns
    ///     with who came first: a thousand hostile files hold up what comes after them for a moment only.
    init(ordinaryCount: Int, patientCount: Int, isInTrouble: @escaping @Sendable () -> Bool) {
        ordinary = ResourcePool(
            maximumCount: ordinaryCount, maximumWaitingCount: Self.maximumWaitingCount, alternating: isInTrouble
        ) {}
        // Those who wait here have waited there, where they are counted.
        patient = ResourcePool(
            maximumCount: patientCount, maximumWaitingCount: Self.maximumWaitingCount, alternating: isInTrouble
        ) {}
    }

    /// Runs the closure when its turn has come, and once more, patiently, where it had to make room.
    ///
    /// - Throws: `limitExceeded` if too many wait, `CancellationError`, and what the closure throws.
    func run<Value: Sendable>(_ body: @Sendable (DecodingUrgency) async throws -> Value) async throws -> Value {
        try await Self.sayingHowManyWait {
            do {
                return try await ordinary.withResource { _ in try await body(.ordinary) }
            } catch let postponed as DecodingPostponed {
                return try await patient.withResource { _ in try await body(postponed.urgency) }
            }
        }
    }

    /// Turns a full queue into a failure that says so.
    static func sayingHowManyWait<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch is ResourcePoolFull {
            throw AnalysisFailure(
                .limitExceeded,
                "\(maximumWaitingCount) inputs wait to be analysed already. Ask again when some of them are done.")
        }
    }

    /// More than any app shows at once; each takes a few kilobytes.
    static let maximumWaitingCount = 10_000
}
