// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperHost

/// Pixels that were judged, and that the app displays.
package struct JudgedPicture: Sendable {
    package let analysis: PictureAnalysis
    package let picture: WholePicture
}
