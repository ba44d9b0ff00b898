// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CSandboxShims.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

int CSandboxShims_enter_namespaces(void) {
    // No process namespace: after unshare it is for children only, and no thread could be made any more.
    const int others = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC;
    // No user is mapped in it: nothing new can belong to anybody.
    if (unshare(CLONE_NEWUSER | others) == 0) return 0;
    int error = errno;
    return unshare(others) == 0 ? 0 : error;
}

// As in linux/mount.h of Linux 5.12, https://man7.org/linux/man-pages/man2/mount_setattr.2.html; older headers lack them.
struct attributes {
    uint64_t set;
    uint64_t clear;
    uint64_t propagation;
    uint64_t user_namespace;
};
enum { set_mount_attributes = 442, read_only = 1, recursive = 0x8000 };

int CSandboxShims_make_file_systems_read_only(void) {
    struct attributes attributes = {.set = read_only, .propagation = MS_PRIVATE};
    return syscall(set_mount_attributes, AT_FDCWD, "/", recursive, &attributes, sizeof attributes) < 0 ? errno : 0;
}

int CSandboxShims_empty_file_system(void) {
    // Folders that every system has; which one is covered does not matter, since all go away.
    static const char *const places[] = {"/proc", "/usr", "/etc"};
    // Nothing that is mounted here shall be seen elsewhere.
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return errno;
    int error = ENOENT;
    for (unsigned index = 0; error && index < sizeof places / sizeof *places; index++) {
        const unsigned long flags = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
        error = mount("none", places[index], "tmpfs", flags, "size=4k,nr_inodes=2,mode=0555") < 0 ? errno : 0;
        if (!error && chdir(places[index]) < 0) error = errno;
    }
    // The old root comes to lie upon the new one, and is taken away.
    if (!error && syscall(SYS_pivot_root, ".", ".") < 0) error = errno;
    if (!error && umount2(".", MNT_DETACH) < 0) error = errno;
    if (!error && chdir("/") < 0) error = errno;
    return error;
}
