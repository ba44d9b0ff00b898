// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// What a model is, what it wants to see and what its outputs mean: the file `manifest.json` of a model folder.
package struct ModelManifest: Sendable, Hashable, Codable {
    /// The version of this format; 1.
    package var schema: Int
    /// Lower-case letters, digits and hyphens; travels with every score.
    package var name: String
    package var version: String
    package var description: String
    /// The name of the ONNX file beside the manifest.
    package var file: String
    /// The SHA-256 of that file, as 64 hexadecimal digits; a file that differs is refused.
    package var sha256: String
    package var byteCount: Int
    package var input: Input
    package var outputs: [Output]
    package var licence: String
    package var source: String
    package var knownFailures: [String]

    /// The tensor that the model takes.
    package struct Input: Sendable, Hashable, Codable {
        package var name: String
        /// The size of the tensor, in pixels.
        package var width: Int
        package var height: Int
        package var layout: Layout
        package var channelOrder: ChannelOrder
        /// Subtracted from the 8-bit values, in the order of the channels.
        package var mean: [Float]
        /// Multiplied with the difference, in the order of the channels.
        package var scale: [Float]
        package var resize: Resize

        /// The shape of the tensor of one picture.
        var shape: [Int] {
            switch layout {
            case .channelsLast: [1, height, width, 3]
            case .channelsFirst: [1, 3, height, width]
            }
        }
    }

    package enum Layout: String, Sendable, Hashable, Codable {
        case channelsLast = "NHWC"
        case channelsFirst = "NCHW"
    }

    package enum ChannelOrder: String, Sendable, Hashable, Codable {
        case rgb = "RGB"
        case bgr = "BGR"
    }

    /// How a picture of any size becomes one of the tensor's size.
    package struct Resize: Sendable, Hashable, Codable {
        package var mode: Mode
        /// The size to which the picture is resized, in pixels.
        package var width: Int
        package var height: Int
        package var filter: Filter
        /// What of the resized picture goes into the tensor.
        package var crop: Crop

        package enum Mode: String, Sendable, Hashable, Codable {
            /// Both sides are resized independently, which distorts the picture.
            case stretch
        }

        package enum Filter: String, Sendable, Hashable, Codable {
            case bilinear
            case bicubic
        }

        package enum Crop: String, Sendable, Hashable, Codable {
            case center
        }
    }

    /// A number of the model's output and what it says.
    package struct Output: Sendable, Hashable, Codable {
        /// The name of the output tensor, of shape N × columns.
        package var name: String
        package var column: Int
        package var contentType: String
        package var thresholds: Thresholds
    }
}

extension ModelManifest {
    /// Throws `modelUnavailable`, which names the entry, where the manifest asks for what cannot be or must not be.
    package func validate() throws(AnalysisFailure) {
        func require(_ condition: Bool, _ entry: String) throws(AnalysisFailure) {
            guard condition else {
                throw AnalysisFailure(
                    .modelUnavailable,
                    "The manifest of the model is not valid: \(entry). Correct it, or install the model anew.")
            }
        }
        try require(schema == 1, "schema must be 1, the version that this program knows")
        try require(Self.isName(name), "name must have 1 to 64 lower-case letters, digits and hyphens")
        try require(
            !file.isEmpty && !file.contains("/") && !file.hasPrefix("."), "file must be a plain file name")
        try require(
            sha256.utf8.count == 64 && sha256.allSatisfy { $0.isHexDigit && !$0.isUppercase },
            "sha256 must be 64 hexadecimal digits in lower case")
        try require((1...(4 << 30)).contains(byteCount), "byteCount must be from 1 to 4 GiB")
        try require(
            (1...4096).contains(input.width) && (1...4096).contains(input.height),
            "input.width and input.height must be from 1 to 4096")
        try require(
            (input.width...8192).contains(input.resize.width) && (input.height...8192).contains(input.resize.height),
            "input.resize must be no smaller than the input and at most 8192")
        try require(
            input.mean.count == 3 && input.scale.count == 3
                && (input.mean + input.scale).allSatisfy { $0.isFinite && abs($0) <= 1e6 },
            "input.mean and input.scale must be three finite numbers each")
        try require(!input.name.isEmpty, "input.name must not be empty")
        try require((1...16).contains(outputs.count), "outputs must have 1 to 16 entries")
        for output in outputs {
            try require((0..<100_000).contains(output.column), "a column of outputs must be from 0 to 99999")
            try require(
                ContentType.known.contains(ContentType(rawValue: output.contentType)),
                "contentType must be one of \(ContentType.known.map(\.rawValue).joined(separator: ", "))")
            try require(
                output.thresholds.areValid,
                "thresholds must be numbers above 0 and up to 1, with descriptive <= simple <= strong")
        }
    }

    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
