// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// Whether an account can become the administrator.
enum AdministratorRights {
    /// By the groups that distributions let do so.
    static var areHeld: Bool {
        if getuid() == 0 { return true }
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(Int32(groups.count), &groups)
        guard count > 0 else { return false }
        let names = ["sudo", "wheel", "admin", "docker", "lxd"]
        return names.contains { name in
            var buffer = [CChar](repeating: 0, count: 1 << 16)
            var entry = unsafe group()
            var found: UnsafeMutablePointer<group>?
            guard unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else {
                return false
            }
            return unsafe groups.prefix(Int(count)).contains(entry.gr_gid)
        }
    }
}
