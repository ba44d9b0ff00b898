// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import ModelFormats

/// The weights of a layer as 32-bit numbers, from any of the encodings of the format.
enum Weights {
    /// The output channels of weights, for which quantised weights may have scales.
    struct Channels {
        let count: Int
        /// The number of weights of a channel that lie together.
        let length: Int
    }

    /// - Parameters:
    ///   - count: the number of weights that the layer needs.
    ///   - name: the meaning of the weights, for messages.
    static func values(
        _ parameters: CoreMLWeightParams, count: Int, channels: Channels, _ name: String
    ) throws(ConversionFailure) -> [Float] {
        let encodings = [
            !parameters.floatValue.isEmpty, !parameters.float16Value.isEmpty, !parameters.rawValue.isEmpty,
            !parameters.int8RawValue.isEmpty,
        ]
        guard encodings.count(where: { $0 }) == 1, parameters.int8RawValue.isEmpty,
            // coremltools leaves an empty message with weights that it has dequantised.
            (parameters.quantization != CoreMLQuantizationParams()) == !parameters.rawValue.isEmpty
        else {
            throw ConversionFailure(
                "The \(name) are not in exactly one of the encodings float32, float16 and quantised", .exportAgain)
        }
        let values =
            if !parameters.floatValue.isEmpty {
                parameters.floatValue
            } else if !parameters.float16Value.isEmpty {
                halves(parameters.float16Value)
            } else {
                try quantised(parameters.rawValue, parameters.quantization, count: count, channels: channels, name)
            }
        guard values.count == count else {
            throw ConversionFailure("The \(name) are \(values.count) numbers where \(count) are needed", .exportAgain)
        }
        guard values.allSatisfy(\.isFinite) else {
            throw ConversionFailure("The \(name) have a number that is not finite", .exportAgain)
        }
        return values
    }

    private static func halves(_ bytes: Data) -> [Float] {
        guard bytes.count.isMultiple(of: 2) else { return [] }
        let bytes = [UInt8](bytes)
        return stride(from: 0, to: bytes.count, by: 2).map { place in
            Float(Float16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
        }
    }

    private static func quantised(
        _ bytes: Data, _ parameters: CoreMLQuantizationParams, count: Int, channels: Channels, _ name: String
    ) throws(ConversionFailure) -> [Float] {
        guard (1...8).contains(parameters.numberOfBits), count <= 1 << 33 else {
            throw ConversionFailure("The \(name) are quantised with other than 1 to 8 bits", .exportAgain)
        }
        let bitCount = Int(parameters.numberOfBits)
        guard bytes.count == (count * bitCount + 7) / 8 else {
            throw ConversionFailure("The \(name) have not the length that their quantisation needs", .exportAgain)
        }
        let indices = unpacked([UInt8](bytes), bitCount: bitCount, count: count)
        switch parameters.quantizationType {
        case .lookupTableQuantization(let table)?:
            guard table.floatValue.count == 1 << bitCount else {
                throw ConversionFailure("The \(name) have a table of the wrong length", .exportAgain)
            }
            return indices.map { table.floatValue[Int($0)] }
        case .linearQuantization(let line)?:
            let (scales, biases) = (line.scale, line.bias.isEmpty ? [0] : line.bias)
            guard [1, channels.count].contains(scales.count), [1, channels.count].contains(biases.count) else {
                throw ConversionFailure("The \(name) have scales for another number of channels", .exportAgain)
            }
            return indices.enumerated().map { place, index in
                let channel = place / channels.length % channels.count
                return Float(index) * scales[scales.count == 1 ? 0 : channel]
                    + biases[biases.count == 1 ? 0 : channel]
            }
        case nil: throw ConversionFailure("The \(name) have no kind of quantisation", .exportAgain)
        }
    }

    /// Returns numbers of a few bits each, which are packed without gaps from the highest bit of each byte on.
    private static func unpacked(_ bytes: [UInt8], bitCount: Int, count: Int) -> [UInt8] {
        guard bitCount < 8 else { return bytes }
        let mask = UInt32(1) << UInt32(bitCount) - 1
        var (pending, pendingCount, place) = (UInt32(0), 0, 0)
        return (0..<count).map { _ in
            if pendingCount < bitCount {
                pending = pending << 8 | UInt32(bytes[place])
                place += 1
                pendingCount += 8
            }
            pendingCount -= bitCount
            return UInt8(pending >> UInt32(pendingCount) & mask)
        }
    }
}
