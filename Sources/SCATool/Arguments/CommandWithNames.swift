// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A command with names as arguments, such as names of files, which may begin with a dash after `--`.
protocol CommandWithNames {}
