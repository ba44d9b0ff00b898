// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The description of a model, its input and its outputs: the file `manifest.json` of a model folder.
package struct ModelManifest: Sendable, Hashable, Codable {
    /// The version of this format, which is 1.
    package var schema: Int
    /// The name in lower-case letters, digits and hyphens, which accompanies every score.
    package var name: String
    package var version: String
    package var description: String
    /// The name of the ONNX file beside the manifest.
    package var file: String
    /// The SHA-256 of that file, as 64 hexadecimal digits; a file with another hash is refused.
    package var sha256: String
    package var byteCount: Int
    package var input: ModelInput
    package var outputs: [Output]
    /// The labels of a classifier; nil for a model whose columns have no names.
    package var labels: Labels?
    /// The scores of the known drawings, with which the model's process checks itself; `sca model add` writes them.
    package var knownAnswers: KnownAnswers?
    package var licence: String
    package var source: String
    package var knownFailures: [String]
    /// How well the model did on some data, by others or by this project; nil for a model that nobody has measured.
    package var operatingPoints: [OperatingPoints]?
    /// The settings for pictures inside a picture; nil for a model that judges whole pictures only.
    package var innerPictures: InnerPictureSearch?

    package init(
        name: String, version: String, description: String, file: String, sha256: String, byteCount: Int,
        input: ModelInput, outputs: [Output], labels: Labels?, licence: String, source: String,
        knownFailures: [String]
    ) {
        schema = 1
        self.name = name
        self.version = version
        self.description = description
        self.file = file
        self.sha256 = sha256
        self.byteCount = byteCount
        self.input = input
        self.outputs = outputs
        self.labels = labels
        self.licence = licence
        self.source = source
        self.knownFailures = knownFailures
    }

    /// One score that the model gives, with its place in an output tensor and its meaning.
    package struct Output: Sendable, Hashable, Codable {
        /// The name of the output tensor, of shape N × columns.
        package var name: String
        package var column: Int
        package var contentType: ContentType
        package var thresholds: Thresholds

        package init(name: String, column: Int, contentType: ContentType, thresholds: Thresholds) {
            self.name = name
            self.column = column
            self.contentType = contentType
            self.thresholds = thresholds
        }
    }
}

extension ModelManifest {
    /// The names of all columns of an output tensor.
    package struct Labels: Sendable, Hashable, Codable {
        /// The name of the output tensor, of shape N × the number of labels.
        package var output: String
        /// The labels in the order of the columns.
        package var names: [String]

        package init(output: String, names: [String]) {
            self.output = output
            self.names = names
        }
    }

    /// Returns the label of an output's column; nil if the column has no label.
    package func label(of output: Output) -> String? {
        guard let labels, labels.output == output.name, output.column < labels.names.count else { return nil }
        return labels.names[output.column]
    }

    /// Throws `modelUnavailable` with the name of the entry if an entry of the manifest is impossible or not allowed.
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
        if let fault = input.fault { try require(false, fault) }
        try require((1...16).contains(outputs.count), "outputs must have 1 to 16 entries")
        for output in outputs {
            try require(
                (0..<ModelOutputPlace.maximumColumnCount).contains(output.column),
                "a column of outputs must be from 0 to \(ModelOutputPlace.maximumColumnCount - 1)")
            try require(
                output.thresholds.areValid,
                "thresholds must be numbers above 0 and up to 1, with descriptive <= simple <= strong")
        }
        try require((operatingPoints ?? []).count <= 100, "operatingPoints must have at most 100 entries")
        for points in operatingPoints ?? [] {
            if let fault = points.fault { try require(false, fault) }
        }
        if let innerPictures {
            try require(
                (0...1).contains(innerPictures.warmth)
                    && (1...InnerPictureSearch.mostInnerPictures).contains(innerPictures.count),
                "innerPictures needs a warmth from 0 to 1 and a count from 1 to"
                    + " \(InnerPictureSearch.mostInnerPictures)")
        }
        if let labels {
            try require(
                (1...ModelOutputPlace.maximumColumnCount).contains(labels.names.count),
                "labels.names must have 1 to \(ModelOutputPlace.maximumColumnCount) labels")
        }
        if let knownAnswers {
            try require(
                knownAnswers.scores.count == KnownAnswers.drawingCount
                    && knownAnswers.scores.allSatisfy { scores in
                        scores.count == outputs.count && scores.allSatisfy { $0 >= 0 && $0 <= 1 }
                    },
                "knownAnswers.scores must have, for each of \(KnownAnswers.drawingCount) drawings, a score from 0 to 1 for each"
                    + " output")
            try require(
                knownAnswers.tolerance > 0 && knownAnswers.tolerance <= KnownAnswers.largestTolerance,
                "knownAnswers.tolerance must be above 0 and at most \(KnownAnswers.largestTolerance)")
        }
    }

    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
