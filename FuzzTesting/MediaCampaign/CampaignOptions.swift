// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What a campaign is asked to do.
struct CampaignOptions: Sendable {
    static let usage = """
        usage: MediaCampaign SEEDS RESULTS COUNT [--seed NUMBER] [--extract INDEX]

          SEEDS     a folder of media, all of whose pictures carry the test pattern
          RESULTS   a folder for what is found; a campaign that was interrupted goes on there
          COUNT     how many mutants there are in all
          --seed    another number makes other mutants
          --extract writes one mutant to standard output and judges none
        """

    var seeds: String
    var results: String
    var count: Int
    var seed: UInt64 = 1
    var extracted: Int?

    init?(arguments: [String]) {
        guard arguments.count >= 3, let count = Int(arguments[2]), count > 0 else { return nil }
        (seeds, results, self.count) = (arguments[0], arguments[1], count)
        var rest = arguments.dropFirst(3).makeIterator()
        while let option = rest.next() {
            guard let value = rest.next() else { return nil }
            switch option {
            case "--seed":
                guard let seed = UInt64(value) else { return nil }
                self.seed = seed
            case "--extract":
                guard let index = Int(value) else { return nil }
                extracted = index
            default: return nil
            }
        }
    }
}
