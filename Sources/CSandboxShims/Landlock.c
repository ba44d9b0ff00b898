// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CSandboxShims.h"
#include "Rulesets.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers are the same on every architecture; headers older than the kernel lack them.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

// As in linux/landlock.h of Linux 6.12, https://docs.kernel.org/userspace-api/landlock.html
struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};
enum { create_ruleset_version = 1 };
enum { execute = 1 << 0, read_file = 1 << 2, read_folder = 1 << 3 };

int CSandboxShims_make_ruleset(int newest, int allows_reading, int *version_in_force) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, create_ruleset_version);
    if (version < 0) return -errno;
    if (version > newest) version = newest;
    if (version < 1) return -EOPNOTSUPP;

    // The number of rights to files grew: 13 at first, then moving between folders, truncating, and device controls.
    int rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    struct ruleset everything = {.handled_access_fs = (UINT64_C(1) << rights) - 1};
    if (allows_reading) everything.handled_access_fs &= ~(uint64_t)(execute | read_file | read_folder);
    size_t size = sizeof everything.handled_access_fs;
    if (version >= 4) {
        everything.handled_access_net = 3;  // binding and connecting
        size = offsetof(struct ruleset, scoped);
    }
    if (version >= 6) {
        everything.scoped = 3;  // abstract sockets and signals
        size = sizeof everything;
    }
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &everything, size, 0);
    if (ruleset < 0) return -errno;
    // No rule is added, so nothing is allowed.
    *version_in_force = (int)version;
    return ruleset;
}

int CSandboxShims_obey_ruleset(int ruleset) {
    return syscall(SYS_landlock_restrict_self, ruleset, 0) < 0 ? errno : 0;
}

int CSandboxShims_restrict_with_landlock(int newest, int allows_reading) {
    int version;
    int ruleset = CSandboxShims_make_ruleset(newest, allows_reading, &version);
    if (ruleset < 0) return ruleset;
    int error = CSandboxShims_obey_ruleset(ruleset);
    close(ruleset);
    return error ? -error : version;
}
