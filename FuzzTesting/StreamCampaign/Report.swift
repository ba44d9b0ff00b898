// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes a line of results at once, also into a pipe, because a campaign runs for minutes.
func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
