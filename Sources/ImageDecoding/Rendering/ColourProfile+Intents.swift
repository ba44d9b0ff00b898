// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CVips
internal import ViewerAgreement

extension ColourProfile {
    /// The rendering intents whose colours may differ.
    ///
    /// If an intent has no table of its own, programs use another table or the curves.
    var intents: [VipsIntent] {
        isCurvesAndMatrix ? [VIPS_INTENT_RELATIVE] : [VIPS_INTENT_RELATIVE, VIPS_INTENT_PERCEPTUAL]
    }
}
