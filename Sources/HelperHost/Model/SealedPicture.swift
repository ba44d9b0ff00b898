// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// Pixels of an app in sealed memory, which no process can change.
package struct SealedPicture: Sendable {
    package let layout: PixelLayout
    package let memory: SealedMemory

    /// - Throws: `internalFailure` if the memory is too small for the layout.
    package init(layout: PixelLayout, memory: SealedMemory) throws(AnalysisFailure) {
        guard layout.byteCount <= memory.byteCount else {
            throw AnalysisFailure(.internalFailure, "The dimensions of a picture do not fit its memory.")
        }
        self.layout = layout
        self.memory = memory
    }
}
