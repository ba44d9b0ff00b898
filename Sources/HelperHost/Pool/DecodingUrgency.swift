// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The time for which a file may keep a decoder.
package enum DecodingUrgency: Sendable {
    /// Until the file is slow and `PoolLoad.wantsRoom` is true; then `DecodingPostponed` is thrown.
    case ordinary
    /// Until a time limit of the file is reached, even if other files wait.
    case patient
    /// As `patient`, but a crash is not followed by another attempt, because the file has crashed a decoder already.
    case lastAttempt
}
