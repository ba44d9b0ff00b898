// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CSandboxShims.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

int CSandboxShims_task_count(void) {
    struct stat tasks;
    if (stat("/proc/self/task", &tasks) < 0) return -errno;
    // One link for each task, and those of every folder: its name and its dot.
    return (int)tasks.st_nlink - 2;
}

void CSandboxShims_close_descriptors_from(int first) {
    closefrom(first);
}

int CSandboxShims_forbid_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? errno : 0;
}

int CSandboxShims_drop_capabilities(void) {
    // The capabilities that root would get back by running a program; only a process with CAP_SETPCAP can drop them.
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0) break;
    prctl(PR_SET_SECUREBITS,
          SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
              SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED,
          0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &header, none) < 0 ? errno : 0;
}

int CSandboxShims_keep_capabilities_of_mounts(void) {
    const uint32_t kept = 1u << CAP_SYS_ADMIN | 1u << CAP_SETPCAP;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &header, sets) < 0) return errno;
    sets[0].permitted &= kept;
    sets[0].effective &= kept;
    sets[0].inheritable = 0;
    for (int index = 1; index < _LINUX_CAPABILITY_U32S_3; index++) sets[index] = (struct __user_cap_data_struct){0};
    return syscall(SYS_capset, &header, sets) < 0 ? errno : 0;
}

static int limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit both;
    if (getrlimit(resource, &both) < 0) return errno;
    // The parent of the host may have set a lower limit.
    if (both.rlim_max < value) value = both.rlim_max;
    both = (struct rlimit){.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &both) < 0 ? errno : 0;
}

int CSandboxShims_forbid_inspection(unsigned descriptors, uint64_t processor_seconds) {
    int error = limit(RLIMIT_CORE, 0);
    if (!error) error = limit(RLIMIT_NOFILE, descriptors);
    // For one that was taken over and outlives its host; what an answer may take is set for each.
    if (!error) error = limit(RLIMIT_CPU, processor_seconds);
    if (!error && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) error = errno;
    return error;
}

int CSandboxShims_limit_resources(unsigned descriptors, uint64_t processor_seconds, uint64_t largest_file) {
    int error = CSandboxShims_forbid_inspection(descriptors, processor_seconds);
    if (!error) error = limit(RLIMIT_FSIZE, largest_file);
    if (!error) error = limit(RLIMIT_MEMLOCK, 0);
    if (!error) error = limit(RLIMIT_MSGQUEUE, 0);
    return error;
}

int CSandboxShims_limit_address_space(uint64_t extra) {
    FILE *sizes = fopen("/proc/self/statm", "re");
    if (!sizes) return errno;
    unsigned long pages = 0;
    int read = fscanf(sizes, "%lu", &pages);
    fclose(sizes);
    if (read != 1) return EIO;
    uint64_t bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) + extra;
    return limit(RLIMIT_AS, bytes);
}

// The clock by which the kernel keeps RLIMIT_CPU, which counts ticks. All others, and getrusage, are exact, and go apart
// from it by seconds within minutes. Encoded as in the kernel's posix-timers_types.h: this process, CPUCLOCK_PROF.
static const clockid_t clock_of_limit = (clockid_t)(~0U << 3);

int CSandboxShims_limit_processor_time(uint64_t seconds) {
    struct timespec used;
    struct rlimit both;
    if (clock_gettime(clock_of_limit, &used) < 0 || getrlimit(RLIMIT_CPU, &both) < 0) return errno;
    // The kernel counts whole seconds, and the one that has begun is no longer whole.
    both.rlim_cur = (rlim_t)used.tv_sec + 2 + seconds;
    if (both.rlim_cur > both.rlim_max) both.rlim_cur = both.rlim_max;
    return setrlimit(RLIMIT_CPU, &both) < 0 ? errno : 0;
}

int CSandboxShims_sanitizer(void) {
#if __has_feature(address_sanitizer)
    return 1;
#elif __has_feature(thread_sanitizer)
    return 2;
#else
    return 0;
#endif
}

#if __has_feature(address_sanitizer)
// Looking for leaks at the end would need the right to trace, which no decoder has.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}
#endif
