// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// The answer of a decoder about the picture that the app displays.
package enum WholePictureAnswer {
    /// The pixels are in the memory of the output.
    case written(isDamaged: Bool)
    /// The video decoder decodes the picture.
    case elsewhere(MediaReply)
}
