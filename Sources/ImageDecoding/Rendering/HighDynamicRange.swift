// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A transfer function of pictures with a high dynamic range.
///
/// Source: Rec. ITU-R BT.2100-2, tables 4 and 5; Rec. ITU-R BT.2408, the levels of reference white.
enum HighDynamicRange {
    case perceptualQuantizer
    case hybridLogGamma

    /// - Parameter transfer: the number of the transfer function in Rec. ITU-T H.273.
    init?(transfer: Int) {
        switch transfer {
        case 16: self = .perceptualQuantizer
        case 18: self = .hybridLogGamma
        default: return nil
        }
    }

    /// The curves from level to light by which viewers show such pictures on an ordinary display, as tables from 0 to 1.
    ///
    /// The first is close to Chromium's, which makes bright parts darker. The second is Firefox's, in which the
    /// brightest light of the standard is white. Both were measured with grey levels (docs/renderings.md).
    var curves: [[UInt16]] {
        [mappedLight, plainLight].map { light in
            (0..<Self.tableSize).map { index in
                UInt16((light(Double(index) / Double(Self.tableSize - 1)) * Double(UInt16.max)).rounded())
            }
        }
    }

    /// Returns the light of a level as Chromium shows it: half for the reference white, and white for 1,000 cd/m².
    private func mappedLight(_ level: Double) -> Double {
        let light = luminance(level) / (2 * Self.referenceWhite)
        guard light > Self.knee else { return light }
        let (above, most) = (min(light, Self.peak) - Self.knee, Self.peak - Self.knee)
        // A hyperbola that begins with the slope of the line and ends at 1.
        let bend = (most / (1 - Self.knee) - 1) / most
        return Self.knee + above / (1 + bend * above)
    }

    private func plainLight(_ level: Double) -> Double {
        switch self {
        case .perceptualQuantizer: luminance(level) / Self.mostOfQuantizer
        case .hybridLogGamma: Self.sceneLight(level)
        }
    }

    /// Returns the luminance of a grey level, in cd/m².
    private func luminance(_ level: Double) -> Double {
        switch self {
        case .perceptualQuantizer:
            let root = pow(level, 1 / Self.m2)
            return Self.mostOfQuantizer * pow(max(root - Self.c1, 0) / (Self.c2 - Self.c3 * root), 1 / Self.m1)
        case .hybridLogGamma: return Self.mostOfDisplay * pow(Self.sceneLight(level), Self.systemGamma)
        }
    }

    /// Returns the light of the scene for a level of HLG, from 0 to 1.
    private static func sceneLight(_ level: Double) -> Double {
        level <= 0.5 ? level * level / 3 : (exp((level - c) / a) + b) / 12
    }

    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
    private static let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    private static let systemGamma = 1.2
    private static let (mostOfQuantizer, mostOfDisplay, referenceWhite) = (10_000.0, 1000.0, 203.0)
    /// The light from which Chromium makes lights darker, and the light that it shows as white.
    private static let (knee, peak) = (0.5, mostOfDisplay / (2 * referenceWhite))
    private static let tableSize = 4096
}
