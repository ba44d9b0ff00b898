// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Capabilities and Landlock belong to threads. An inference library starts threads while it loads, and cannot load in a
// closed process, so its threads are bound afterwards. Only a thread can bind itself: each gets a signal for it, which
// is the C library's own way for setuid(2).

#define _GNU_SOURCE
#include "CSandboxShims.h"
#include "Rulesets.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { most_threads = 512, binding_signal = SIGUSR2 };

static int ruleset = -1;
static int drops_capabilities;
static atomic_int failed;
/// The threads that have bound themselves.
static atomic_int bound[most_threads];
static atomic_int bound_count;

static void bind_this_thread(int signal) {
    (void)signal;
    int saved = errno;
    int error = drops_capabilities ? CSandboxShims_drop_capabilities() : 0;
    if (!error && ruleset >= 0) error = CSandboxShims_obey_ruleset(ruleset);
    if (error) atomic_store(&failed, error);
    int place = atomic_fetch_add(&bound_count, 1);
    if (place < most_threads) atomic_store(&bound[place], (int)syscall(SYS_gettid));
    errno = saved;
}

static int is_bound(int thread) {
    for (int place = 0; place < most_threads; place++)
        if (atomic_load(&bound[place]) == thread) return 1;
    return 0;
}

static int is_gone(int thread) {
    return syscall(SYS_tgkill, getpid(), thread, 0) < 0 && errno == ESRCH;
}

static int contains(const int *list, int count, int value) {
    for (int index = 0; index < count; index++)
        if (list[index] == value) return 1;
    return 0;
}

/// Has each thread that is not on the list bind itself, and adds it. Returns how many there were, or minus an errno value.
static int bind_new_threads(int *threads, int *count) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return -errno;
    int before = *count;
    int error = 0;
    for (struct dirent *entry; !error && (entry = readdir(tasks));) {
        int thread = atoi(entry->d_name);
        if (thread <= 0 || contains(threads, *count, thread)) continue;
        if (*count == most_threads) {
            error = E2BIG;
        } else if (syscall(SYS_tgkill, getpid(), thread, binding_signal) == 0) {
            threads[(*count)++] = thread;
        } else if (errno != ESRCH) {
            error = errno;
        }
    }
    closedir(tasks);
    // Five seconds: a thread that blocks the signal is never bound.
    const struct timespec pause = {.tv_nsec = 100 * 1000};
    for (int index = before, step = 0; !error && index < *count; index++) {
        while (!error && !is_bound(threads[index]) && !is_gone(threads[index])) {
            if (step++ == 50 * 1000) error = ETIMEDOUT;
            nanosleep(&pause, NULL);
        }
    }
    if (!error) error = atomic_load(&failed);
    return error ? -error : *count - before;
}

int CSandboxShims_bind_other_threads(int newest_landlock, int capabilities) {
    drops_capabilities = capabilities;
    int version = 0;
    ruleset = newest_landlock > 0 ? CSandboxShims_make_ruleset(newest_landlock, 0, &version) : -EOPNOTSUPP;
    // A kernel without Landlock, or with it switched off; the calling thread will find the same.
    if (ruleset < 0 && ruleset != -EOPNOTSUPP && ruleset != -ENOSYS) return -ruleset;
    // After the above, which the handler needs.
    struct sigaction action = {.sa_handler = bind_this_thread, .sa_flags = SA_RESTART}, old;
    sigfillset(&action.sa_mask);
    if (sigaction(binding_signal, &action, &old) < 0) return errno;
    static int threads[most_threads];
    int count = 0;
    threads[count++] = (int)syscall(SYS_gettid);
    int found;
    // Until there are no new ones: a thread that was started meanwhile may have come from one that was not bound yet.
    do found = bind_new_threads(threads, &count);
    while (found > 0);
    if (ruleset >= 0) close(ruleset);
    ruleset = -1;
    sigaction(binding_signal, &old, NULL);
    return found < 0 ? -found : 0;
}
