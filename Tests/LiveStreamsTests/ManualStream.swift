// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import LiveStreams

/// A moment on a clock that tests move by hand.
struct ManualInstant: InstantProtocol {
    var milliseconds: Int

    func advanced(by duration: Duration) -> ManualInstant {
        ManualInstant(milliseconds: milliseconds + Int(duration / .milliseconds(1)))
    }

    func duration(to other: ManualInstant) -> Duration { .milliseconds(other.milliseconds - milliseconds) }

    static func < (one: ManualInstant, other: ManualInstant) -> Bool { one.milliseconds < other.milliseconds }
}

/// A picture whose look is a number; equal numbers look the same.
struct NumberedLook: StreamPicture, Hashable {
    var look: Int
    var hasPixels = true
    var byteCount = 1

    func change(from judged: NumberedLook) -> PictureChange {
        look == judged.look ? .none : abs(look - judged.look) == 1 ? .some : .much
    }

    func isCut(from previous: NumberedLook) -> Bool { change(from: previous) == .much }

    func isLike(_ earlier: NumberedLook, and later: NumberedLook?) -> Bool {
        look == earlier.look || look == later?.look
    }

    var withoutPixels: NumberedLook { NumberedLook(look: look, hasPixels: false) }
}

typealias ManualStream = StreamState<ManualInstant, NumberedLook>
typealias ManualScheduler = StreamScheduler<ManualInstant, NumberedLook>

extension StreamFinding {
    static func scripted(
        _ level: Level, _ types: Set<ContentType>? = nil, policy: AnalysisPolicy = .simple
    ) -> StreamFinding {
        StreamFinding(
            level: level, types: types ?? (level == .harmless ? [] : [.sexuallyExplicit]),
            score: level == .harmless ? 0.1 : level == .suspected ? 0.75 : 0.95, modelName: "scripted", policy: policy)
    }
}

extension StreamTerms {
    static let simple = StreamTerms(policy: .simple)
    static let descriptive = StreamTerms(policy: .descriptive)
    static let disabled = StreamTerms(policy: .disabled)
}

extension ManualInstant {
    static func ms(_ milliseconds: Int) -> ManualInstant { ManualInstant(milliseconds: milliseconds) }
}
