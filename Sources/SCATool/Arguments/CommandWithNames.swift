// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A command whose arguments are names, such as those of files: they may begin with a dash behind `--`.
protocol CommandWithNames {}
