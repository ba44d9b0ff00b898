// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The setup from which the model's process loads a model.
///
/// The host chooses each value, and the process checks the hashes. The model's file comes in an earlier message.
package struct ModelSetup: Sendable, Equatable {
    /// The absolute path of OpenVINO's folder.
    package var libraryFolder: String
    /// The SHA-256 of the model's file.
    package var modelDigest: [UInt8]
    /// The size of the model's file, in bytes.
    package var modelByteCount: UInt64
    package var input: ModelInput
    package var outputs: [ModelOutputPlace]
    /// The tensor of a classifier's labels; nil for a model without labels.
    package var labels: Labels?
    /// The known scores of the drawings, or nil if no known scores are there to compare with.
    package var knownAnswers: KnownAnswers?
    /// The number of connections, each of which scores one picture at a time.
    package var laneCount: UInt8

    package init(
        libraryFolder: String, modelDigest: [UInt8], modelByteCount: UInt64, input: ModelInput,
        outputs: [ModelOutputPlace], labels: Labels?, knownAnswers: KnownAnswers?, laneCount: UInt8
    ) {
        self.libraryFolder = libraryFolder
        self.modelDigest = modelDigest
        self.modelByteCount = modelByteCount
        self.input = input
        self.outputs = outputs
        self.labels = labels
        self.knownAnswers = knownAnswers
        self.laneCount = laneCount
    }

    /// The output tensor of shape 1 × count that has a score for each label.
    package struct Labels: Sendable, Equatable {
        package var output: String
        package var count: Int

        package init(output: String, count: Int) {
            self.output = output
            self.count = count
        }
    }

    /// The longest path or name in a message, in bytes.
    package static let maximumTextLength = 1024
    package static let maximumOutputCount = 16
    package static let maximumLaneCount: UInt8 = 64

    /// Whether every text and list fits into a message.
    package var isCarried: Bool {
        ([libraryFolder, input.name, labels?.output].compactMap { $0 } + outputs.map(\.name)).allSatisfy {
            $0.utf8.count <= Self.maximumTextLength && $0.utf8.allSatisfy { $0 == ByteReader.printable($0) }
        } && outputs.reduce(0, { $0 + $1.name.utf8.count }) <= Self.maximumTextLength
            && (1...Self.maximumOutputCount).contains(outputs.count)
    }
}

extension ModelSetup {
    func write(to writer: inout ByteWriter) {
        writer.write(libraryFolder)
        for byte in modelDigest { writer.write(byte) }
        writer.write(modelByteCount)
        writer.write(input.name)
        writer.write(UInt32(clamping: input.width))
        writer.write(UInt32(clamping: input.height))
        writer.write(UInt8(input.layout == .channelsFirst ? 1 : 0))
        writer.write(UInt8(input.channelOrder == .bgr ? 1 : 0))
        for value in input.mean + input.scale { writer.write(value.bitPattern) }
        writer.write(UInt32(clamping: input.resize.width))
        writer.write(UInt32(clamping: input.resize.height))
        writer.write(UInt8(input.resize.filter == .bicubic ? 1 : 0))
        writer.write(input.resize.mode.rawValue)
        writer.write(input.resize.crop.rawValue)
        writer.write(UInt8(outputs.count))
        for output in outputs {
            writer.write(output.name)
            writer.write(UInt32(clamping: output.column))
        }
        writer.write(UInt32(clamping: labels?.count ?? 0))
        if let labels { writer.write(labels.output) }
        writer.write(laneCount)
        writer.write(UInt8(knownAnswers == nil ? 0 : 1))
        guard let knownAnswers else { return }
        writer.write(knownAnswers.tolerance.bitPattern)
        for score in knownAnswers.scores.joined() { writer.write(score.bitPattern) }
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        func number() throws(MessageError) -> Int { Int(try reader.read(UInt32.self)) }
        func float() throws(MessageError) -> Float { Float(bitPattern: try reader.read()) }
        func flag() throws(MessageError) -> Bool { try reader.read(UInt8.self) == 1 }
        func floats(_ count: Int) throws(MessageError) -> [Float] {
            var values: [Float] = []
            for _ in 0..<count { values.append(try float()) }
            return values
        }
        libraryFolder = try reader.readText(atMost: Self.maximumTextLength)
        var digest: [UInt8] = []
        for _ in 0..<32 { digest.append(try reader.read()) }
        modelDigest = digest
        modelByteCount = try reader.read()
        let name = try reader.readText(atMost: Self.maximumTextLength)
        let (width, height) = (try number(), try number())
        let (isChannelsFirst, isBGR) = (try flag(), try flag())
        let (mean, scale) = (try floats(3), try floats(3))
        let (resizedWidth, resizedHeight) = (try number(), try number())
        let isBicubic = try flag()
        guard let mode = ModelInput.Resize.Mode(rawValue: try reader.readText(atMost: Self.maximumTextLength)),
            let crop = ModelInput.Resize.Crop(rawValue: try reader.readText(atMost: Self.maximumTextLength))
        else { throw .valueOutOfRange }
        input = ModelInput(
            name: name, width: width, height: height, layout: isChannelsFirst ? .channelsFirst : .channelsLast,
            channelOrder: isBGR ? .bgr : .rgb, mean: mean, scale: scale,
            resize: ModelInput.Resize(
                mode: mode, width: resizedWidth, height: resizedHeight, filter: isBicubic ? .bicubic : .bilinear,
                crop: crop))
        guard input.fault == nil else { throw .valueOutOfRange }
        let outputCount = Int(try reader.read(UInt8.self))
        guard (1...Self.maximumOutputCount).contains(outputCount) else { throw .valueOutOfRange }
        outputs = []
        for _ in 0..<outputCount {
            outputs.append(
                ModelOutputPlace(name: try reader.readText(atMost: Self.maximumTextLength), column: try number()))
        }
        let labelCount = try number()
        guard labelCount <= ModelOutputPlace.maximumColumnCount else { throw .valueOutOfRange }
        if labelCount > 0 {
            labels = Labels(output: try reader.readText(atMost: Self.maximumTextLength), count: labelCount)
        }
        laneCount = try reader.read()
        guard (1...Self.maximumLaneCount).contains(laneCount) else { throw .valueOutOfRange }
        guard try flag() else { return }
        let tolerance = try float()
        var scores: [[Float]] = []
        for _ in 0..<KnownAnswers.drawingCount { scores.append(try floats(outputCount)) }
        knownAnswers = KnownAnswers(scores: scores, tolerance: tolerance)
    }
}
