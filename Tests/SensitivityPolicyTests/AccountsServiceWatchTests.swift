// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SensitivityPolicy

@Suite("Questions to AccountsService")
struct AccountsServiceWatchTests {
    @Test("A service that has failed is asked again after pauses that grow to two seconds and no further")
    func pauses() {
        let pauses = [1, 2, 3, 4, 5, 100, Int.max].map(AccountsServiceWatch.pause(afterFailures:))
        #expect(pauses.prefix(3) == [.milliseconds(250), .milliseconds(500), .seconds(1)])
        #expect(pauses.dropFirst(3).allSatisfy { $0 == .seconds(2) })
    }
}
