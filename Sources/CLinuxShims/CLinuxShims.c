// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int CLinuxShims_send(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) return errno;
    return (size_t)sent == count ? 0 : EMSGSIZE;
}

ssize_t CLinuxShims_receive(int socket, void *bytes, size_t capacity, int *descriptor) {
    enum { most_descriptors = 8 };
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(most_descriptors * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    *descriptor = -1;
    ssize_t count;
    do {
        count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;

    int received = 0;
    int first = -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < number; index++) {
            int one;
            memcpy(&one, CMSG_DATA(header) + index * sizeof(int), sizeof one);
            if (received++ == 0) {
                first = one;
            } else {
                close(one);
            }
        }
    }
    if (received > 1 || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
        if (first >= 0) close(first);
        return -EMSGSIZE;
    }
    *descriptor = first;
    return count;
}

int CLinuxShims_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

int CLinuxShims_memory_create(const char *name) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return descriptor < 0 ? -errno : descriptor;
}

static const int all_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

int CLinuxShims_memory_seal(int descriptor) {
    return fcntl(descriptor, F_ADD_SEALS, all_seals) < 0 ? errno : 0;
}

int CLinuxShims_memory_seal_size(int descriptor, int for_good) {
    int seals = F_SEAL_SHRINK | F_SEAL_GROW | (for_good ? F_SEAL_SEAL : 0);
    return fcntl(descriptor, F_ADD_SEALS, seals) < 0 ? errno : 0;
}

int CLinuxShims_memory_is_sealed(int descriptor) {
    int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0) return -errno;
    return (seals & all_seals) == all_seals;
}

int CLinuxShims_pidfd_open(pid_t process) {
    long descriptor = syscall(SYS_pidfd_open, process, 0);
    return descriptor < 0 ? -errno : (int)descriptor;
}

int CLinuxShims_pidfd_kill(int descriptor) {
    return syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, NULL, 0) < 0 ? -errno : 0;
}

int CLinuxShims_spawn(pid_t *process, const char *path, char *const arguments[], char *const environment[],
                      const int *descriptors, int descriptor_count, int keep_standard_error) {
    enum { first_descriptor = 3 };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t none, every;
    sigemptyset(&none);
    sigfillset(&every);
    const int is_helper = descriptor_count > 0;
    // The descriptors first: the first may itself have one of the numbers that the next lines replace.
    for (int index = 0; !error && index < descriptor_count; index++)
        error = posix_spawn_file_actions_adddup2(&actions, descriptors[index], first_descriptor + index);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error && is_helper) error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error && !is_helper) error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (!error && !keep_standard_error)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, first_descriptor + descriptor_count);
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &every);
    // Its own session: Ctrl-C in a terminal is for the host, which decides what becomes of its decoders, and a helper that
    // was taken over cannot open the terminal and type into it.
    if (!error)
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    if (!error) error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int CLinuxShims_reap(pid_t process, int wait) {
    int status;
    pid_t ended;
    do {
        ended = waitpid(process, &status, wait ? 0 : WNOHANG);
    } while (ended < 0 && errno == EINTR);
    if (ended < 0) return -2;
    if (ended == 0) return -1;
    if (WIFSIGNALED(status)) return 256 + WTERMSIG(status);
    return WEXITSTATUS(status);
}

void CLinuxShims_reuse_memory(size_t size) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, (int)size);
    mallopt(M_TRIM_THRESHOLD, (int)size);
    // Memory that is given out is zero, and memory that is given back is overwritten: libde265 shows what it finds there.
    mallopt(M_PERTURB, 0xFF);
#else
    (void)size;
#endif
}

void CLinuxShims_grow_memory_by(size_t size) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, (int)size);
#else
    (void)size;
#endif
}

void CLinuxShims_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static void *wait_for_peer(void *argument) {
    struct pollfd peer = {.fd = (int)(intptr_t)argument, .events = POLLRDHUP};
    for (;;) {
        int ready = poll(&peer, 1, -1);
        if (ready > 0 && (peer.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL))) _exit(0);
        if (ready < 0 && errno != EINTR) _exit(1);
    }
}

int CLinuxShims_exit_when_peer_closes(int socket) {
    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (error) return error;
    // A small stack: the default of 8 MiB would count against the address space that decoding may use.
    pthread_attr_setstacksize(&attributes, 64 * 1024);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    error = pthread_create(&thread, &attributes, wait_for_peer, (void *)(intptr_t)socket);
    pthread_attr_destroy(&attributes);
    return error;
}
