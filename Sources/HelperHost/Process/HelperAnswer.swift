// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// The unchecked reply of a helper process, with its unchecked pixels.
package struct HelperAnswer: Sendable {
    package let reply: HelperReply
    /// The memory to which a decoder has written the views of a picture, valid until the next request.
    package let memory: PixelMemory
    /// The time for which the process has worked on the reply.
    let work: Duration
}
