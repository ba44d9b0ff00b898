// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CSandboxShims.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

// Newer than libseccomp's names; the number is the same on all architectures.
enum { fchmodat2 = 452 };

#define COUNT(list) (sizeof list / sizeof *list)

// Lists of what is refused, because PipeWire's library makes other system calls in each version, and a library that loads
// makes more than any list could name.
static const int refused[] = {
    // Programs and processes. Threads are made with clone, see below.
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork),
    // New connections; PipeWire's is open.
    SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(bind), SCMP_SYS(connect), SCMP_SYS(listen), SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    // Names and properties of files, also where the kernel has no Landlock.
    SCMP_SYS(open_by_handle_at), SCMP_SYS(openat2), SCMP_SYS(link), SCMP_SYS(linkat), SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(mknod),
    SCMP_SYS(mknodat), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(rmdir), SCMP_SYS(symlink),
    SCMP_SYS(symlinkat), SCMP_SYS(truncate), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(chmod), SCMP_SYS(fchmodat),
    SCMP_SYS(chown), SCMP_SYS(lchown), SCMP_SYS(fchownat),
    SCMP_SYS(fsetxattr), SCMP_SYS(lsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(setxattr),
    SCMP_SYS(futimesat), SCMP_SYS(utime), SCMP_SYS(utimensat), SCMP_SYS(utimes), SCMP_SYS(fanotify_init),
    SCMP_SYS(inotify_add_watch), fchmodat2,
    // Memory, messages and keys that processes share by name.
    SCMP_SYS(add_key), SCMP_SYS(mq_open), SCMP_SYS(msgget), SCMP_SYS(request_key), SCMP_SYS(semget), SCMP_SYS(shmat),
    SCMP_SYS(shmget),
    // Mounts and roots.
    SCMP_SYS(chroot), SCMP_SYS(fsmount), SCMP_SYS(fsopen), SCMP_SYS(fspick), SCMP_SYS(mount_setattr), SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    // Other processes and the system.
    SCMP_SYS(pidfd_open), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(setpriority), SCMP_SYS(tkill),
    SCMP_SYS(bpf), SCMP_SYS(io_uring_setup), SCMP_SYS(keyctl), SCMP_SYS(kill), SCMP_SYS(perf_event_open),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
    SCMP_SYS(ptrace), SCMP_SYS(setns), SCMP_SYS(unshare), SCMP_SYS(userfaultfd),
};

// Calls that a library makes while it loads, and the sandbox until it is closed: opening files, and an empty root.
static const int refused_after_loading[] = {
    SCMP_SYS(creat), SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(mount), SCMP_SYS(pivot_root), SCMP_SYS(umount2),
};

// Calls that no library makes while it loads, and that change files or other processes.
static const int refused_while_loading[] = {
    SCMP_SYS(fallocate), SCMP_SYS(fchmod), SCMP_SYS(fchown), SCMP_SYS(fremovexattr), SCMP_SYS(ioprio_set),
    SCMP_SYS(msgctl), SCMP_SYS(sched_setattr), SCMP_SYS(sched_setparam), SCMP_SYS(sched_setscheduler), SCMP_SYS(semctl),
    SCMP_SYS(shmctl),
};

// Before it is loaded, no mount that exists may be changed or shown in another place.
static const unsigned long refused_mounts[] = {MS_BIND, MS_MOVE, MS_REMOUNT};

// Calls that are newer than this list, setxattrat being the first, act as on a kernel that lacks them.
enum { first_unknown_call = 463, last_unknown_call = 600 };

// Requests that type into a terminal, or choose who gets signals about a descriptor; the same on x86-64 and arm64.
static const unsigned long refused_requests[] = {TIOCSTI, TIOCLINUX, TIOCSCTTY, FIOSETOWN, SIOCSPGRP, FIOASYNC};

static const int signal_settings[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG};

/// The rules for a library that is still loading.
static int add_rules_for_loading(scmp_filter_ctx filter) {
    int error = 0;
    for (size_t index = 0; !error && index < COUNT(refused_while_loading); index++)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused_while_loading[index], 0);
    for (size_t index = 0; !error && index < COUNT(refused_mounts); index++)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(mount), 1,
            SCMP_A3(SCMP_CMP_MASKED_EQ, refused_mounts[index], refused_mounts[index]));
    // A new mount is read-only; the change of propagation is none.
    if (!error)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(mount), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, MS_RDONLY | MS_PRIVATE, 0));
    // Truncating needs no right to write where Landlock does not know it.
    const unsigned long mask = O_ACCMODE | O_TRUNC, truncating = O_RDONLY | O_TRUNC;
    if (!error)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, mask, truncating));
    if (!error)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, mask, truncating));
    // The processors of other processes.
    if (!error)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(sched_setaffinity), 1, SCMP_A0(SCMP_CMP_NE, 0));
    return error;
}

int CSandboxShims_forbid_programs_and_connections(int is_loaded) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return ENOMEM;
    int error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (!error) error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    for (size_t index = 0; !error && index < COUNT(refused); index++)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[index], 0);
    for (size_t index = 0; !error && is_loaded && index < COUNT(refused_after_loading); index++)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused_after_loading[index], 0);
    for (int call = first_unknown_call; !error && call <= last_unknown_call; call++)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0);
    if (!error && !is_loaded) error = add_rules_for_loading(filter);
    for (size_t index = 0; !error && index < COUNT(refused_requests); index++)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
            SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, refused_requests[index]));
    if (!error)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 2, SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, F_SETFL),
            SCMP_A2(SCMP_CMP_MASKED_EQ, O_ASYNC, O_ASYNC));
    // The C library then starts threads with clone, whose arguments can be looked at.
    if (!error) error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (!error)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    // Signals to itself and to nobody else, limits of its own, and no signals for descriptors.
    if (!error)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid()));
    if (!error) error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_NE, 0));
    for (size_t index = 0; !error && index < COUNT(signal_settings); index++)
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 1,
            SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, (scmp_datum_t)signal_settings[index]));
    if (!error) error = seccomp_load(filter);
    seccomp_release(filter);
    return -error;
}
