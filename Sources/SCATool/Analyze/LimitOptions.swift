// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ArgumentParser
internal import HelperHost

/// The limits of an analysis as options of the command.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The largest picture file, in bytes; K, M, G or T may follow.", valueName: "bytes"))
    var maxBytes = ByteCount(AnalysisLimits().maximumByteCount)

    @Option(
        help: ArgumentHelp(
            "The largest picture, in pixels. (default: 300 million where it is decoded in strips, otherwise 100 million)",
            valueName: "pixels"))
    var maxPixels: Int?

    @Option(help: ArgumentHelp("The longest edge of a picture, in pixels.", valueName: "pixels"))
    var maxEdge = AnalysisLimits().maximumEdge

    @Option(
        help: ArgumentHelp("The longest time to decode a picture, in seconds of a processor.", valueName: "seconds"))
    var timeLimit = 10.0

    @Option(
        help: ArgumentHelp(
            "The longest time to decode all pictures of one video or other file, in seconds.", valueName: "seconds"))
    var mediaTimeLimit = AnalysisLimits().maximumMediaDecodingTime / .seconds(1)

    @Option(
        help: ArgumentHelp(
            "The longest time to decode all pictures of one animation or file with pages, in seconds.",
            valueName: "seconds"))
    var picturesTimeLimit = AnalysisLimits().maximumPicturesDecodingTime / .seconds(1)

    @Option(help: ArgumentHelp("The largest video file, in bytes.", valueName: "bytes"))
    var maxVideoBytes = ByteCount(AnalysisLimits().maximumVideoByteCount)

    @Option(help: ArgumentHelp("The longest video, in seconds.", valueName: "seconds"))
    var maxDuration = AnalysisLimits().maximumDuration / .seconds(1)

    @Option(help: ArgumentHelp("How many frames of one file may be decoded.", valueName: "count"))
    var maxFrames = AnalysisLimits().maximumFrameCount

    @Option(help: ArgumentHelp("The memory of a decoder process, in bytes.", valueName: "bytes"))
    var decoderMemory = ByteCount(AnalysisLimits().decoderMemory)

    @Flag(help: "Analyse nothing unless every layer of the sandbox around the helpers is in force.")
    var requireSandbox = false

    var decoders: HelperSettings {
        HelperSettings(memoryLimit: decoderMemory.value, requiresSandbox: requireSandbox)
    }

    var limits: AnalysisLimits {
        var limits = AnalysisLimits()
        limits.maximumByteCount = maxBytes.value
        limits.maximumEdge = maxEdge
        limits.decoderMemory = decoderMemory.value
        limits.maximumVideoByteCount = maxVideoBytes.value
        limits.maximumFrameCount = maxFrames
        limits.maximumDuration = Self.duration(maxDuration)
        limits.maximumDecodingTime = Self.duration(timeLimit)
        limits.maximumMediaDecodingTime = Self.duration(mediaTimeLimit)
        limits.maximumPicturesDecodingTime = Self.duration(picturesTimeLimit)
        if let maxPixels {
            limits.maximumPixelCount = maxPixels
            limits.maximumStreamedPixelCount = maxPixels
        }
        return limits
    }

    /// - Throws: `ValidationError` if a time is below a microsecond, or a billion seconds or more.
    func validate() throws {
        let times = [
            ("time-limit", timeLimit), ("media-time-limit", mediaTimeLimit),
            ("pictures-time-limit", picturesTimeLimit), ("max-duration", maxDuration),
        ]
        for (name, seconds) in times where !(seconds >= 1e-6 && seconds < 1e9) {
            throw ValidationError("--\(name) is \(seconds); use a number of seconds above 0 and below 1,000,000,000.")
        }
    }

    private static func duration(_ seconds: Double) -> Duration {
        // `validate` has checked the value. Without that check, a value out of range must not lead to a trap.
        seconds >= 1e-6 && seconds < 1e9 ? .seconds(seconds) : .zero
    }
}
