// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// A connection to the system's bus, for one thread.
///
/// Its address is fixed, because the user controls the environment. A bus of the user's own could send any answer.
@safe
final class SystemBus {
    static let socket = "/run/dbus/system_bus_socket"

    private let bus: OpaquePointer
    private let timeout: Duration
    /// The unique bus names of the connections that are known to belong to root.
    private var trusted: Set<String> = []

    /// Connects, and waits until the bus has answered the first message.
    ///
    /// - Parameter timeout: the longest wait for the connection, and for each call without a timeout of its own.
    init(socket: String = SystemBus.socket, timeout: Duration = .seconds(5)) throws(BusFailure) {
        self.timeout = timeout
        var created: OpaquePointer?
        try unsafe Self.check(sd_bus_new(&created))
        guard let created = unsafe created else { throw BusFailure(ENOMEM) }
        unsafe bus = created
        // All properties are set from here on, so `deinit` closes the bus after a failure.
        try unsafe Self.check(sd_bus_set_address(bus, "unix:path=\(socket)"))
        try unsafe Self.check(sd_bus_set_bus_client(bus, 1))
        try unsafe Self.check(sd_bus_set_method_call_timeout(bus, timeout.microseconds))
        try unsafe Self.check(sd_bus_start(bus))
        let deadline = ContinuousClock.now + timeout
        while unsafe sd_bus_is_ready(bus) <= 0 {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw BusFailure(ETIMEDOUT) }
            if try unsafe Self.check(sd_bus_process(bus, nil)) == 0 {
                try unsafe Self.check(sd_bus_wait(bus, rest.microseconds))
            }
        }
    }

    deinit {
        unsafe sd_bus_close(bus)
        unsafe sd_bus_unref(bus)
    }

    /// Calls a method and returns its answer.
    ///
    /// - Parameters:
    ///   - timeout: the longest wait for the answer; nil for the timeout of the connection.
    ///   - mayAsk: whether the system may ask the person at the screen for a password.
    func call(
        _ method: BusMethod, timeout: Duration? = nil, mayAsk: Bool = false,
        _ write: (BusMessage) throws(BusFailure) -> Void = { _ in }
    ) throws(BusFailure) -> BusMessage {
        var created: OpaquePointer?
        try unsafe Self.check(
            sd_bus_message_new_method_call(
                bus, &created, method.service, method.object, method.interface, method.member))
        let call = try unsafe BusMessage(created)
        if mayAsk { try unsafe Self.check(sd_bus_message_set_allow_interactive_authorization(call.pointer, 1)) }
        try write(call)
        var error = unsafe sd_bus_error()
        defer { unsafe sd_bus_error_free(&error) }
        var answer: OpaquePointer?
        let result = unsafe sd_bus_call(bus, call.pointer, (timeout ?? self.timeout).microseconds, &error, &answer)
        if result < 0 {
            guard let name = unsafe error.name else { throw BusFailure(-result) }
            throw unsafe BusFailure(
                name: String(cString: name), message: error.message.map { unsafe String(cString: $0) } ?? "")
        }
        return try unsafe BusMessage(answer)
    }

    /// Calls a method, and refuses the answer if the service does not belong to root.
    ///
    /// - Throws: `BusFailure`, also if a service of another account has answered.
    func callRoot(
        _ method: BusMethod, timeout: Duration? = nil, mayAsk: Bool = false,
        _ write: (BusMessage) throws(BusFailure) -> Void = { _ in }
    ) throws(BusFailure) -> BusMessage {
        let answer = try call(method, timeout: timeout, mayAsk: mayAsk, write)
        guard let sender = answer.sender, try isRoot(sender) else {
            throw BusFailure(name: "not root", message: "the service does not belong to root")
        }
        return answer
    }

    private func isRoot(_ sender: String) throws(BusFailure) -> Bool {
        if trusted.contains(sender) { return true }
        let method = BusMethod.ofBus("GetConnectionUnixUser")
        let number = try call(method) { message throws(BusFailure) in try message.append(sender) }.uint32()
        guard number == 0 else { return false }
        // A restarted service has another name, so the set is emptied before it grows without a limit.
        if trusted.count > 1000 { trusted = [] }
        trusted.insert(sender)
        return true
    }

    /// Subscribes to the signals that match a rule.
    func subscribe(_ rule: String) throws(BusFailure) {
        _ = try call(.ofBus("AddMatch")) { message throws(BusFailure) in try message.append(rule) }
    }

    /// Waits for a signal.
    ///
    /// - Parameter longest: the longest wait; nil to wait without a limit.
    /// - Returns: whether a signal came; several signals count as one.
    func waitForSignal(atMost longest: Duration? = nil) throws(BusFailure) -> Bool {
        let deadline = longest.map { ContinuousClock.now + $0 }
        var hasSignal = false
        // The budget limits the number of messages, so that an endless series of them cannot block the caller.
        var budget = 100
        while true {
            budget -= 1
            if budget < 0 { return true }
            var message: OpaquePointer?
            let isBusy = try unsafe Self.check(sd_bus_process(bus, &message)) > 0
            if let message = unsafe message {
                if unsafe sd_bus_message_is_signal(message, nil, nil) > 0 { hasSignal = true }
                unsafe sd_bus_message_unref(message)
            }
            if isBusy { continue }
            if hasSignal { return true }
            let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let rest, rest <= .zero { return false }
            try unsafe Self.check(sd_bus_wait(bus, rest?.microseconds ?? UInt64.max))
        }
    }

    @discardableResult
    static func check(_ result: Int32) throws(BusFailure) -> Int32 {
        // If a Unix signal to the app interrupts the call, the loop of the caller calls again.
        if result == -EINTR { return 0 }
        guard result >= 0 else { throw BusFailure(-result) }
        return result
    }
}

extension Duration {
    fileprivate var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000_000
    }
}
