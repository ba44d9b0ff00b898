// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Renames files without replacing any.
package enum FileRenaming {
    /// Gives a file a name that no other file has, in the same or another folder of its file system.
    ///
    /// - Returns: 0 or an errno value: EEXIST if the name is taken, EXDEV for another file system.
    package static func rename(
        _ name: UnsafePointer<CChar>, in folder: OwnedDescriptor, to newName: UnsafePointer<CChar>,
        in newFolder: OwnedDescriptor
    ) -> Int32 {
        guard let renameat2 = unsafe renameat2 else { return ENOSYS }
        return unsafe renameat2(folder.number, name, newFolder.number, newName, noReplacement) == 0 ? 0 : errno
    }

    private typealias Function =
        @convention(c) (
            Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
        ) -> Int32

    /// The function of the C library, which Swift's module of the library leaves out.
    ///
    /// Source: renameat2(2), since glibc 2.28.
    private static let renameat2: Function? = unsafe dlsym(nil, "renameat2").map {
        unsafe unsafeBitCast($0, to: Function.self)
    }

    /// RENAME_NOREPLACE of linux/fs.h.
    private static let noReplacement: UInt32 = 1
}
