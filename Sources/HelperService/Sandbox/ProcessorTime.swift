// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CSandboxShims
internal import Glibc

/// The kernel's own watch over the time that an answer takes, for a host that is stopped or does not notice.
struct ProcessorTime {
    /// How long the host waits for each answer; the default until it has said so.
    var maximum = AnalysisLimits().maximumDecodingTime
    private let processorCount = UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// Ends the process if the next answer needs more time than all processors have until the host stops waiting.
    func limit() {
        // Refused only where a limit that somebody set outside is lower still.
        _ = CSandboxShims_limit_processor_time((maximum.microseconds + 999_999) / 1_000_000 * processorCount)
    }
}
