// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Apple's framework brings Foundation's types, such as URL and Progress, to code that imports nothing else.
@_exported public import Foundation
