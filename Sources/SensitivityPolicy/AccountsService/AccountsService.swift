// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The parental controls of the desktop: the filters that malcontent stores in AccountsService for each account.
///
/// Source: https://www.freedesktop.org/software/accountsservice/; the interface
/// `com.endlessm.ParentalControls.AppFilter` of malcontent.
struct AccountsService {
    private let bus: SystemBus

    init(_ bus: SystemBus) {
        self.bus = bus
    }

    /// Returns the object path of an account.
    func object(ofAccount number: UInt32) throws(BusFailure) -> String {
        let method = BusMethod(
            service: Self.service, object: "/org/freedesktop/Accounts", interface: Self.service,
            member: "FindUserById")
        return try bus.callRoot(method) { message throws(BusFailure) in try message.append(Int64(number)) }.string("o")
    }

    /// Returns the filter of an account, or nil if AccountsService has no parental controls.
    ///
    /// Only the service's own list of interfaces leads to nil. The sender of an error cannot be checked, and local
    /// errors have the same names as errors of the service.
    func filter(of object: String) throws(BusFailure) -> OARSFilter? {
        let method = BusMethod(service: Self.service, object: object, interface: Self.properties, member: "Get")
        let answer: BusMessage
        do throws(BusFailure) {
            answer = try bus.callRoot(method) { message throws(BusFailure) in
                try message.append(Self.filterInterface)
                try message.append(Self.filterProperty)
            }
        } catch {
            // Without malcontent, nobody has set a filter. A child cannot remove malcontent, because that takes root.
            guard try isWithoutFilters(object) else { throw error }
            return nil
        }
        return try Self.readVariant(answer)
    }

    /// Whether the object of an account exists and has no interface for filters.
    private func isWithoutFilters(_ object: String) throws(BusFailure) -> Bool {
        let method = BusMethod(
            service: Self.service, object: object, interface: "org.freedesktop.DBus.Introspectable",
            member: "Introspect")
        let text = try bus.callRoot(method).string()
        return text.contains("\"\(Self.service).User\"") && !text.contains(Self.filterInterface)
    }

    /// Sets the filter of an account as a whole; the system may ask for an administrator's password.
    func setFilter(_ filter: OARSFilter, of object: String) throws(BusFailure) {
        let method = BusMethod(
            service: Self.service, object: object, interface: Self.properties, member: "Set")
        _ = try bus.callRoot(method, timeout: .seconds(300), mayAsk: true) { message throws(BusFailure) in
            try message.append(Self.filterInterface)
            try message.append(Self.filterProperty)
            try message.append("v", Self.filterType) { () throws(BusFailure) in
                try message.append("r", "sa{ss}") { () throws(BusFailure) in
                    try message.append(filter.scheme)
                    try message.append("a", "{ss}") { () throws(BusFailure) in
                        for (section, value) in filter.sections.sorted(by: { $0.key < $1.key }) {
                            try message.append("e", "ss") { () throws(BusFailure) in
                                try message.append(section)
                                try message.append(value)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Subscribes to signals of a possible change of the filter, and of a new start of AccountsService.
    func subscribe(to object: String) throws(BusFailure) {
        try bus.subscribe("type='signal',sender='\(Self.service)',path='\(object)'")
        try bus.subscribe(
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.service)'")
    }

    private static func readVariant(_ answer: BusMessage) throws(BusFailure) -> OARSFilter {
        let filter = try answer.container("v", filterType) { () throws(BusFailure) in
            try answer.container("r", "sa{ss}") { () throws(BusFailure) in
                OARSFilter(scheme: try answer.string(), sections: try sections(answer))
            }
        }
        guard let filter = filter ?? nil else { throw BusMessage.unexpected }
        return filter
    }

    private static func sections(_ answer: BusMessage) throws(BusFailure) -> [String: String] {
        let sections = try answer.container("a", "{ss}") { () throws(BusFailure) in
            var sections: [String: String] = [:]
            while let entry = try answer.container(
                "e", "ss", { () throws(BusFailure) in (try answer.string(), try answer.string()) })
            {
                // OARS has about thirty sections; the limit bounds the memory for a faulty answer.
                guard sections.count < 1000 else { throw BusMessage.unexpected }
                sections[entry.0] = entry.1
            }
            return sections
        }
        guard let sections else { throw BusMessage.unexpected }
        return sections
    }

    private static let service = "org.freedesktop.Accounts"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let filterInterface = "com.endlessm.ParentalControls.AppFilter"
    private static let filterProperty = "OarsFilter"
    private static let filterType = "(sa{ss})"
}
