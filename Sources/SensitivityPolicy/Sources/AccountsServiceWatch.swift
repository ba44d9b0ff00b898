// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Requests the filter of an account from AccountsService repeatedly, also after failures of the service or the bus.
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

    /// Waits for a possible change or the time of the next retry, and returns the state that then counts.
    mutating func next() -> ParentalControlsState {
        do throws(BusFailure) {
            if let connection {
                // A service that has ended may start again, and then sends a signal.
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
            // An answer that cannot be parsed counts as a filter of an unknown scheme, and replaces the last answer.
            if error == BusMessage.unexpected {
                failures += 1
                return .answered(OARSFilter(scheme: "", sections: [:]))
            }
            // An error name with a dot is a D-Bus error, which came over the bus, so the bus itself works.
            guard error.name.contains(".") else { throw error }
            failures += 1
            return .unanswered("AccountsService does not answer: \(error.message) (\(error.name)).")
        }
    }

    private func connect() throws(BusFailure) -> Connection {
        let bus = try SystemBus(socket: socket)
        let service = AccountsService(bus)
        let object = try service.object(ofAccount: accountNumber)
        // The subscription precedes the first request, so no change is missed between the two.
        try service.subscribe(to: object)
        return Connection(bus: bus, service: service, object: object)
    }

    /// Returns the wait after a number of failures in a row, two seconds at most.
    ///
    /// Without a connection, no signal ends the wait. The parent's choice stays unknown meanwhile.
    static func pause(afterFailures failures: Int) -> Duration {
        failures < 4 ? .milliseconds(250 << max(failures - 1, 0)) : .seconds(2)
    }
}
