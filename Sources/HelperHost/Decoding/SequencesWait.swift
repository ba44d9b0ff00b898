// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The error of a file with several pictures that must wait, because all decoders of such files are in use.
package struct SequencesWait: Error {}
