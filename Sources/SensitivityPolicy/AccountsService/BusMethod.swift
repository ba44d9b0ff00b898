// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A method of an object on the bus.
struct BusMethod {
    let service: String
    let object: String
    let interface: String
    let member: String

    static func ofBus(_ member: String) -> BusMethod {
        BusMethod(
            service: "org.freedesktop.DBus", object: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: member)
    }
}
