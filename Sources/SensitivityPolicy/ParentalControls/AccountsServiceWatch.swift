// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Keeps asking AccountsService for the filter of an account, whatever becomes of it and of the bus.
struct AccountsServiceWatch {
    private let socket: String
    private let accountNumber: UInt32
    private var connection: Connection?
    private var failures = 0
    private var memory = AnswerMemory()

    private struct Connection {
        let bus: SystemBus
        let service: AccountsService
        let object: String
    }

    init(socket: String, accountNumber: UInt32) {
        self.socket = socket
        self.accountNumber = accountNumber
    }

    /// Waits until something may have changed, or another try is due, and gives what counts then.
    mutating func next() -> ParentalControlsState {
        do throws(BusFailure) {
            if let connection {
                // A service that has died may start again any time, and says so.
                _ = try connection.bus.waitForSignal(atMost: failures > 0 ? Self.pause(afterFailures: failures) : nil)
            } else if failures > 0 {
                usleep(UInt32(Self.pause(afterFailures: failures) / .microseconds(1)))
            }
            let answer = try ask()
            return memory.state(after: answer, at: .now)
        } catch {
            failures += 1
            connection = nil
            let reason = "The system's bus or AccountsService cannot be used: \(error.message) (\(error.name))."
            return memory.state(after: .unanswered(reason), at: .now)
        }
    }

    private mutating func ask() throws(BusFailure) -> ParentalControlsState {
        let current: Connection
        if let connection { current = connection } else { current = try connect() }
        connection = current
        do throws(BusFailure) {
            let filter = try current.service.filter(of: current.object)
            failures = 0
            return .answered(filter)
        } catch {
            // What nobody understands is no silence: it takes back what was said before.
            if error == BusMessage.unexpected {
                failures += 1
                return .answered(OARSFilter(scheme: "", sections: [:]))
            }
            // The bus itself is in order as long as it tells of an error.
            guard error.name.contains(".") else { throw error }
            failures += 1
            return .unanswered("AccountsService does not answer: \(error.message) (\(error.name)).")
        }
    }

    private func connect() throws(BusFailure) -> Connection {
        let bus = try SystemBus(socket: socket)
        let service = AccountsService(bus)
        let object = try service.object(ofAccount: accountNumber)
        // Before the first question, so that no change falls between the two.
        try service.subscribe(to: object)
        return Connection(bus: bus, service: service, object: object)
    }

    /// The time to wait after this many failures in a row, two seconds at most.
    ///
    /// Without a connection no signal ends it, and meanwhile a parent's choice is not known.
    static func pause(afterFailures failures: Int) -> Duration {
        failures < 4 ? .milliseconds(250 << max(failures - 1, 0)) : .seconds(2)
    }
}
