// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation

/// Prints the share of harmless frames that the gate covers, by motion and by the number of streams.
func reportShares(_ photographs: [Photograph], seconds: Int) {
    for motion in Motion.allCases {
        // A scene has eight streams.
        let pictures = (105...106).flatMap { (seed: UInt64) in
            Scene(motion, photographs, seed: seed, frameCount: seconds * 30, isAltered: false)
                .pictures(frameCount: seconds * 30)
        }
        let shares = [1, 2, 4, 8, 16].map { count in
            let counts = GateSimulation(pictures: Array(pictures.prefix(count)), delay: .milliseconds(250)).run()
            return "\(count): \(String(format: "%.2f", counts.coveredShare)) %"
        }
        report("\(motion.rawValue), by number of streams: \(shares.joined(separator: ", "))")
    }
}
