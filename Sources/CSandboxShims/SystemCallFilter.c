// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CSandboxShims.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define COUNT(list) (sizeof list / sizeof *list)

// A system call on none of these lists ends the process. docs/sandbox.md names the users of each group.

static const int allowed[] = {
    // Memory, without the right to execute it (see below).
    SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(mremap), SCMP_SYS(munmap),
    // The file that is decoded, whose descriptor the host has sent, and the null device.
    SCMP_SYS(close), SCMP_SYS(dup), SCMP_SYS(fstat), SCMP_SYS(lseek), SCMP_SYS(pread64), SCMP_SYS(read), SCMP_SYS(readv),
    SCMP_SYS(write), SCMP_SYS(writev),
    // Waiting for the host and for other threads.
    SCMP_SYS(clock_nanosleep), SCMP_SYS(futex), SCMP_SYS(nanosleep), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(restart_syscall), SCMP_SYS(sched_yield),
    // Threads: starting, naming the robust list, ending.
    SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(membarrier), SCMP_SYS(rseq),
    SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address),
    // Signals that the process sends to itself: abort, and the C library's own.
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sigaltstack),
    // Time, chance, and who one is.
    SCMP_SYS(clock_getres), SCMP_SYS(clock_gettime), SCMP_SYS(getcpu), SCMP_SYS(getegid), SCMP_SYS(geteuid),
    SCMP_SYS(getgid), SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(getrandom), SCMP_SYS(getrusage),
    SCMP_SYS(gettid), SCMP_SYS(gettimeofday), SCMP_SYS(getuid), SCMP_SYS(sysinfo), SCMP_SYS(time), SCMP_SYS(times),
    SCMP_SYS(uname),
    // How many cores there are, which decides on the number of threads.
    SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_getattr), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
};

// Asked for in passing by libraries that go on without: time zones, numbers of processors, translations, terminals.
static const struct {
    int error;
    int call;
} refused[] = {
    {EACCES, SCMP_SYS(access)}, {EACCES, SCMP_SYS(faccessat)}, {EACCES, SCMP_SYS(faccessat2)},
    {EACCES, SCMP_SYS(getcwd)}, {EACCES, SCMP_SYS(lstat)}, {EACCES, SCMP_SYS(open)}, {EACCES, SCMP_SYS(openat)},
    {EACCES, SCMP_SYS(openat2)}, {EACCES, SCMP_SYS(readlink)}, {EACCES, SCMP_SYS(readlinkat)},
    {EACCES, SCMP_SYS(stat)}, {EACCES, SCMP_SYS(statfs)}, {EACCES, SCMP_SYS(statx)},
    {ENOTTY, SCMP_SYS(ioctl)},
    {EPERM, SCMP_SYS(sched_setattr)}, {EPERM, SCMP_SYS(sched_setparam)},
    {EPERM, SCMP_SYS(sched_setscheduler)}, {EPERM, SCMP_SYS(setpriority)},
    {EPERM, SCMP_SYS(get_mempolicy)}, {EPERM, SCMP_SYS(mbind)}, {EPERM, SCMP_SYS(mlock)}, {EPERM, SCMP_SYS(set_mempolicy)},
    // The C library then starts threads with clone, whose arguments can be looked at.
    {ENOSYS, SCMP_SYS(clone3)},
};

#define RULE(action, call, ...)                                                                    \
    if (!error) {                                                                                  \
        const struct scmp_arg_cmp arguments[] = {__VA_ARGS__};                                     \
        error = seccomp_rule_add_array(filter, action, SCMP_SYS(call), COUNT(arguments), arguments); \
    }

/// The rules about starting and placing threads.
static int add_rules_for_threads(scmp_filter_ctx filter, int has_threads) {
    int error = 0;
    if (has_threads) {
        // The inference library keeps its threads on their processors; 0 is the calling thread.
        RULE(SCMP_ACT_ALLOW, sched_setaffinity, SCMP_A0(SCMP_CMP_EQ, 0))
        RULE(SCMP_ACT_ERRNO(EPERM), sched_setaffinity, SCMP_A0(SCMP_CMP_NE, 0))
        return error;
    }
    if (!error) error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(sched_setaffinity), 0);
    // Threads of this process, and neither processes nor namespaces.
    const unsigned long thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    const unsigned long other = CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWPID |
                                CLONE_NEWUSER | CLONE_NEWUTS | CLONE_PIDFD | CLONE_PTRACE | CLONE_VFORK;
    RULE(SCMP_ACT_ALLOW, clone, SCMP_A0(SCMP_CMP_MASKED_EQ, thread | other, thread))
    return error;
}

/// The other rules that look at arguments.
static int add_conditional_rules(scmp_filter_ctx filter, const int *sockets, int socket_count) {
    int error = 0;
    // Nothing that was written may be executed; no library is loaded any more.
    RULE(SCMP_ACT_ALLOW, mmap, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0))
    RULE(SCMP_ACT_ERRNO(EACCES), mmap, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC))
    RULE(SCMP_ACT_ALLOW, mprotect, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0))
    RULE(SCMP_ACT_ERRNO(EACCES), mprotect, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC))
    // The host, and nobody else.
    for (int index = 0; index < socket_count; index++) {
        RULE(SCMP_ACT_ALLOW, recvmsg, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)sockets[index]))
        RULE(SCMP_ACT_ALLOW, sendmsg, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)sockets[index]))
    }
    // The size of an open file; with this flag alone the path is empty where the C library calls it.
    RULE(SCMP_ACT_ALLOW, newfstatat, SCMP_A3(SCMP_CMP_EQ, AT_EMPTY_PATH))
    RULE(SCMP_ACT_ERRNO(EACCES), newfstatat, SCMP_A3(SCMP_CMP_NE, AT_EMPTY_PATH))
    // Not F_SETOWN and F_SETSIG, which can signal another process.
    RULE(SCMP_ACT_ALLOW, fcntl, SCMP_A1(SCMP_CMP_EQ, F_GETFD))
    RULE(SCMP_ACT_ALLOW, fcntl, SCMP_A1(SCMP_CMP_EQ, F_SETFD))
    RULE(SCMP_ACT_ALLOW, fcntl, SCMP_A1(SCMP_CMP_EQ, F_GETFL))
    RULE(SCMP_ACT_ALLOW, fcntl, SCMP_A1(SCMP_CMP_EQ, F_GET_SEALS))
    // abort() and assertions.
    RULE(SCMP_ACT_ALLOW, tgkill, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()))
    RULE(SCMP_ACT_ALLOW, prctl, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME))
    RULE(SCMP_ACT_ALLOW, prctl, SCMP_A0(SCMP_CMP_EQ, PR_GET_NAME))
    // The C library names its memory, and goes on without.
    RULE(SCMP_ACT_ERRNO(EINVAL), prctl, SCMP_A0(SCMP_CMP_EQ, PR_SET_VMA))
    // Reading one's limits, and setting the processor time for the next request.
    RULE(SCMP_ACT_ALLOW, prlimit64, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0))
    RULE(SCMP_ACT_ALLOW, prlimit64, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU))
    return error;
}

int CSandboxShims_filter_system_calls(const int *sockets, int socket_count, int has_threads) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return ENOMEM;
    int error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    // Calls by the tables of other architectures, which would not be those that are listed.
    if (!error) error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    // A binary tree instead of a list, since some calls are made for every few bytes.
    if (!error) error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    for (size_t index = 0; !error && index < COUNT(allowed); index++)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[index], 0);
    for (size_t index = 0; !error && index < COUNT(refused); index++)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(refused[index].error), refused[index].call, 0);
    if (!error) error = add_rules_for_threads(filter, has_threads);
    if (!error) error = add_conditional_rules(filter, sockets, socket_count);
    if (!error) error = seccomp_load(filter);
    seccomp_release(filter);
    return -error;
}
