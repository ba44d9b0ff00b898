// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ModelInference

@Suite(
    "Inputs and outputs of a model", .enabled(if: Requirements.hasModel, Comment(rawValue: Requirements.modelRemedy)))
struct ModelInterfaceTests {
    /// Returns the failure of a network's load or of its first picture; nil if it gives scores.
    private static func failure(
        _ network: SmallNetwork, input: String = "input", output: String = "output"
    ) throws -> ModelFailure? {
        do {
            _ = try network.lane(input: input, output: output).scores(of: PlaceMapTests.picture(seed: 1))
            return nil
        } catch let failure as ModelFailure {
            return failure
        }
    }

    @Test func `a network with a second input is refused, because nothing would fill it`() throws {
        let failure = try #require(try Self.failure(.ofTwoInputs))
        #expect(failure.reason == .unusable && failure.detail.contains("2 inputs"), "\(failure)")
    }

    @Test func `an input whose name is that of an output is refused, and so is an output that is the input`() throws {
        let network = SmallNetwork.ofEqualOutput
        for (input, output, words) in [
            ("twice", "output", "input in the manifest is not that of the model's input"),
            ("input", "input", "output in the manifest is that of the model's input"),
        ] {
            let failure = try #require(try Self.failure(network, input: input, output: output))
            #expect(failure.reason == .unusable && failure.detail.contains(words), "\(failure)")
        }
        #expect(try Self.failure(network) == nil)
    }

    @Test func `an output of more than 8 dimensions is refused`() throws {
        let failure = try #require(try Self.failure(.ofOutput([1, 1, 1, 1, 1, 1, 1, 4, 4])))
        #expect(failure.detail.contains("more than 8 dimensions"), "\(failure)")
    }

    @Test(arguments: [[1, 16], [16], [1, 1, 16], [1, 16, 1, 1], [1, 1, 1, 16]])
    func `an output of one row of scores is read`(shape: [Int]) throws {
        #expect(try Self.failure(.ofOutput(shape)) == nil)
    }

    /// A map of heat or a list of boxes, of which one place is no score of the picture.
    @Test(arguments: [[1, 4, 4], [1, 1, 4, 4], [1, 16, 1], [1, 1, 16, 1], [2, 8], [4, 4]])
    func `an output of several rows is refused with its shape`(shape: [Int]) throws {
        let failure = try #require(try Self.failure(.ofOutput(shape)))
        let text = shape.map(String.init).joined(separator: " x ")
        #expect(failure.reason == .unusable && failure.detail.contains("shape \(text)"), "\(failure)")
    }
}
