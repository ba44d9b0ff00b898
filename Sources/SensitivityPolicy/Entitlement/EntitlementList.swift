// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What a property list of entitlements says about this one.
struct EntitlementList: Decodable {
    /// What is wrong with the list, or nil.
    let fault: String?

    enum CodingKeys: String, CodingKey {
        case client = "com.apple.developer.sensitivecontentanalysis.client"
    }

    init(from decoder: any Decoder) {
        fault = Self.fault(in: decoder)
    }

    private static func fault(in decoder: any Decoder) -> String? {
        let key = CodingKeys.client
        guard let list = try? decoder.container(keyedBy: CodingKeys.self) else { return "is no dictionary at its top" }
        guard list.contains(key) else { return "lacks the key \(key.rawValue)" }
        guard var values = try? list.nestedUnkeyedContainer(forKey: key) else {
            return "has a value for \(key.rawValue) that is no array; it is [\"analysis\"]"
        }
        var names: [String] = []
        while !values.isAtEnd {
            guard let name = try? values.decode(String.self) else {
                return "has a value for \(key.rawValue) that holds more than strings"
            }
            names.append(name)
        }
        guard names == ["analysis"] else { return "has a value for \(key.rawValue) that is not [\"analysis\"]" }
        return nil
    }
}
