// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The error of a file with several pictures that must wait for a decoder of such files.
package struct SequencesWait: Error {
    /// The urgency of the next attempt, if the file had one already; nil if all decoders are in use.
    package var urgency: DecodingUrgency?
}
