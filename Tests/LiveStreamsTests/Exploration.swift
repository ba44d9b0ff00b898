// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A state and its oracle after some inputs.
protocol ExploredNode {
    associatedtype Input

    /// Applies an input, and returns the first fault that it shows.
    mutating func apply(_ input: Input) -> String?
}

extension ExploredNode {
    /// Returns the first fault of all orders of inputs up to a length.
    ///
    /// - Parameter first: the inputs with which an order begins.
    func explore(_ inputs: [Input], first: [Input], depth: Int, _ path: [Input] = []) -> String? {
        guard depth > 0 else { return nil }
        for input in path.isEmpty ? first : inputs {
            var next = self
            if let fault = next.apply(input) { return "\(path + [input]): \(fault)" }
            if let fault = next.explore(inputs, first: first, depth: depth - 1, path + [input]) { return fault }
        }
        return nil
    }

    /// Returns the first fault of a long random order of inputs.
    ///
    /// - Parameter inputs: returns the inputs to choose from at a step.
    func walk(seed: UInt64, length: Int, _ inputs: (Int) -> [Input]) -> String? {
        var (node, generator, path) = (self, SplitMix64(state: seed), [Input]())
        for step in 0..<length {
            let input = inputs(step).randomElement(using: &generator)!
            path.append(input)
            if let fault = node.apply(input) { return "seed \(seed), \(path.suffix(12)): \(fault)" }
        }
        return nil
    }
}
