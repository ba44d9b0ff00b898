// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// A message on the system's bus (D-Bus), whose values are read or written in order.
@safe
final class BusMessage {
    let pointer: OpaquePointer

    /// Takes over the reference to a message that sd-bus has made; nil means that memory is missing.
    init(_ pointer: OpaquePointer?) throws(BusFailure) {
        guard let pointer = unsafe pointer else { throw BusFailure(ENOMEM) }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe sd_bus_message_unref(pointer)
    }

    /// The unique name of the connection that sent the message, as reported by the bus.
    var sender: String? {
        unsafe sd_bus_message_get_sender(pointer).map { unsafe String(cString: $0) }
    }

    func append(_ text: String) throws(BusFailure) {
        try unsafe SystemBus.check(sd_bus_message_append_basic(pointer, Self.code("s"), text))
    }

    func append(_ number: Int64) throws(BusFailure) {
        var number = number
        try unsafe SystemBus.check(sd_bus_message_append_basic(pointer, Self.code("x"), &number))
    }

    /// Writes a container; the closure writes its content.
    func append(
        _ type: Unicode.Scalar, _ contents: String, _ write: () throws(BusFailure) -> Void
    ) throws(BusFailure) {
        try unsafe SystemBus.check(sd_bus_message_open_container(pointer, Self.code(type), contents))
        try write()
        try unsafe SystemBus.check(sd_bus_message_close_container(pointer))
    }

    func string(_ type: Unicode.Scalar = "s") throws(BusFailure) -> String {
        var text: UnsafePointer<CChar>?
        guard try unsafe SystemBus.check(sd_bus_message_read_basic(pointer, Self.code(type), &text)) > 0,
            let text = unsafe text
        else { throw Self.unexpected }
        return unsafe String(cString: text)
    }

    func uint32() throws(BusFailure) -> UInt32 {
        var number: UInt32 = 0
        guard try unsafe SystemBus.check(sd_bus_message_read_basic(pointer, Self.code("u"), &number)) > 0 else {
            throw Self.unexpected
        }
        return number
    }

    /// Enters a container; the closure reads its content.
    ///
    /// - Returns: nil if there are no more containers.
    func container<Value>(
        _ type: Unicode.Scalar, _ contents: String, _ read: () throws(BusFailure) -> Value
    ) throws(BusFailure) -> Value? {
        guard try unsafe SystemBus.check(sd_bus_message_enter_container(pointer, Self.code(type), contents)) > 0 else {
            return nil
        }
        let value = try read()
        try unsafe SystemBus.check(sd_bus_message_exit_container(pointer))
        return value
    }

    static let unexpected = BusFailure(name: "unexpected answer", message: "the answer is not of the agreed type")

    private static func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
}
