// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation

// Judges mutated media through the real decoders, and writes down what has become of each.
// FuzzTesting/README.md says how a campaign is run and what its report means.

let arguments = CommandLine.arguments.dropFirst()
guard let options = CampaignOptions(arguments: Array(arguments)) else {
    FileHandle.standardError.write(Data("\(CampaignOptions.usage)\n".utf8))
    exit(64)
}
do {
    let campaign = try Campaign(options)
    if let index = options.extracted {
        FileHandle.standardOutput.write(campaign.mutant(index).bytes)
    } else {
        try await campaign.run()
    }
} catch {
    FileHandle.standardError.write(Data("media-campaign: \(error)\n".utf8))
    exit(1)
}
