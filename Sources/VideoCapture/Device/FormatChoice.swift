// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The choice of the format that is nearest to a wish.
///
/// Many cameras give large frames without compression at a few frames a second only, and as JPEG at the full rate. So the
/// formats are tried in order until one has the wished size and rate, and otherwise the best one is taken.
struct FormatChoice {
    private let layer: any CaptureLayer
    private let wish: CaptureWish

    init(_ layer: any CaptureLayer, _ wish: CaptureWish) {
        self.layer = layer
        self.wish = wish
    }

    /// Sets the best format, and returns it.
    ///
    /// - Throws: `CaptureLayerError`, or `unsupportedMedia` if the device has no format that is read here.
    func make() throws -> (CaptureFormat, CaptureEncoding) {
        let codes = try offeredCodes()
        var best: (encoding: CaptureEncoding, worth: Double)?
        var last: (CaptureFormat, CaptureEncoding)?
        for encoding in CaptureEncoding.allCases where !codes.isDisjoint(with: encoding.codes) {
            guard let (format, rate) = try set(encoding, codes) else { continue }
            last = (format, encoding)
            let worth = worth(of: format, rate)
            if worth >= Self.goodEnough { return (format, encoding) }
            if worth > best?.worth ?? -1 { best = (encoding, worth) }
        }
        guard let best, let last else { throw Self.noneIsRead }
        // The format that was tried last is still set.
        if last.1 == best.encoding { return last }
        guard let (format, _) = try set(best.encoding, codes) else { throw Self.noneIsRead }
        return (format, best.encoding)
    }

    private func offeredCodes() throws -> Set<UInt32> {
        var codes: Set<UInt32> = []
        for index in 0..<Self.mostFormats {
            guard let code = try layer.pixelFormat(at: index) else { break }
            codes.insert(code)
        }
        return codes
    }

    /// Sets an encoding with the wished size and rate; nil if the driver takes another encoding.
    private func set(_ encoding: CaptureEncoding, _ offered: Set<UInt32>) throws -> (CaptureFormat, rate: Double?)? {
        guard let code = encoding.codes.first(where: offered.contains) else { return nil }
        let format = try layer.setFormat(CaptureFormat(width: wish.width, height: wish.height, code: code))
        guard format.code == code else { return nil }
        let interval = layer.setInterval(.seconds(1 / wish.rate))
        return (format, interval.map { 1 / max(0.001, $0 / .seconds(1)) })
    }

    /// The shares of the wished pixels and of the wished rate, multiplied; an unknown rate counts as the wished one.
    private func worth(of format: CaptureFormat, _ rate: Double?) -> Double {
        let pixels = Double(format.width) * Double(format.height) / Double(wish.width * wish.height)
        return min(1, max(0, pixels)) * min(1, (rate ?? wish.rate) / wish.rate)
    }

    private static let noneIsRead = AnalysisFailure(
        .unsupportedMedia,
        "The device has none of the formats YUYV, UYVY, NV12, YU12 and MJPG. Convert its frames with another program, for"
            + " example ffmpeg, and pipe its output.")
    /// The share of the wish from which on no other format is tried.
    private static let goodEnough = 0.8
    /// The most formats that are asked for, because a driver might go on for ever.
    private static let mostFormats = 64
}
