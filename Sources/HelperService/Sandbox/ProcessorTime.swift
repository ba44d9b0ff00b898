// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CSandboxShims
internal import Glibc

/// Limits the processor time of each reply through the kernel, in case the host cannot end a slow decoder.
package struct ProcessorTime {
    /// The host's time limit for each reply; the default until a request sets it.
    package var maximum = AnalysisLimits().maximumDecodingTime
    private let processorCount = UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    package init() {}

    /// Makes the kernel end the process if the next reply uses the host's time limit times the number of processors.
    package func limit() {
        // The call fails only if a lower limit was set before the start, and the lower limit then holds.
        _ = CSandboxShims_limit_processor_time((maximum.microseconds + 999_999) / 1_000_000 * processorCount)
    }
}
