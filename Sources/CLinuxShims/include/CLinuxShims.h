// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// Linux calls that Swift cannot make itself. Every function says why it exists.

#ifndef SCA_CLINUXSHIMS_H
#define SCA_CLINUXSHIMS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Sends one message of a sequenced-packet socket, with a file descriptor if `descriptor` is not negative.
/// Returns 0, or an errno value. Never raises SIGPIPE.
/// Provided because the CMSG_* macros that attach a descriptor are not imported into Swift.
int CLinuxShims_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives one message. Returns its length, 0 at the end of the stream, or a negative errno value;
/// a message longer than `capacity`, or with more than one descriptor, is -EMSGSIZE and its descriptors are closed.
/// `*descriptor` is the received descriptor (close-on-exec), or -1.
/// Provided for the same reason as CLinuxShims_send.
ssize_t CLinuxShims_receive(int socket, void *bytes, size_t capacity, int *descriptor);

/// Makes a pipe whose ends are closed in programs that are started. Returns 0, or an errno value.
/// Provided because the function belongs to GNU's extensions, which the importer drops.
int CLinuxShims_pipe(int *reading, int *writing);

/// Creates anonymous memory that can be sealed. Returns a descriptor, or a negative errno value.
/// Provided because the MFD_* macros have types that the importer drops.
int CLinuxShims_memory_create(const char *name);

/// Forbids all further change of the memory's size and content. Returns 0, or an errno value.
/// Provided because fcntl is variadic and the F_SEAL_* macros are not imported.
int CLinuxShims_memory_seal(int descriptor);

/// Forbids all change of the memory's size and, for good, all further seals. Returns 0, or an errno value.
/// Provided for the same reason as CLinuxShims_memory_seal.
int CLinuxShims_memory_seal_size(int descriptor, int for_good);

/// Whether the memory's size and content can no longer change (1), can (0), or that is unknown (negative errno).
/// Provided for the same reason as CLinuxShims_memory_seal.
int CLinuxShims_memory_is_sealed(int descriptor);

/// Opens a descriptor that becomes readable when the process has ended. Returns it, or a negative errno value.
/// Provided because glibc 2.36 has the system call, and its headers hide it from Swift behind feature macros.
int CLinuxShims_pidfd_open(pid_t process);

/// Ends the process of such a descriptor at once. Returns 0, or minus an errno value: ESRCH once it was collected.
/// Provided because older C libraries lack the function.
int CLinuxShims_pidfd_kill(int descriptor);

/// Starts a program with these descriptors as its descriptors from 3 on, standard streams on /dev/null (standard error is
/// kept if `keep_standard_error` is not 0), every other descriptor closed, all signals at their default, in its own
/// process group. Without descriptors, standard output is standard error. All descriptors but the first must be larger
/// than those that the program gets. `arguments` and `environment` end with a null pointer. Returns 0, or an errno value.
/// Provided because posix_spawn_file_actions_addclosefrom_np and the posix_spawn types are optional pointers on some
/// C libraries and structures on others, which one Swift source cannot spell.
int CLinuxShims_spawn(pid_t *process, const char *path, char *const arguments[], char *const environment[],
                      const int *descriptors, int descriptor_count, int keep_standard_error);

/// The exit status of a process that has ended (0 to 255), 256 + signal if a signal ended it, -1 if it still runs,
/// or -2 if somebody else has already collected it. With `wait` not 0, waits for the end.
/// Provided because the WIF* macros are not imported.
int CLinuxShims_reap(pid_t process, int wait);

/// Keeps freed blocks of up to so many bytes for the next that are asked for, until CLinuxShims_trim_memory, so that
/// the kernel need not clear the same pages for every picture. Freed blocks are overwritten, and the next are zero.
/// Provided because mallopt is of the GNU C library.
void CLinuxShims_reuse_memory(size_t size);

/// Keeps blocks of all threads in one area, which grows by at least so many bytes at once: by default it grows a page at a
/// time in all threads but the first. Called before the first thread starts.
/// Provided because mallopt is of the GNU C library.
void CLinuxShims_grow_memory_by(size_t size);

/// Gives freed memory back to the system.
/// Provided because the importer does not include malloc.h.
void CLinuxShims_trim_memory(void);

/// Ends the calling process, without running any handler, as soon as the other end of the socket is closed.
/// Starts one thread that lives until then. Returns 0, or an errno value.
/// Provided because POLLRDHUP is hidden behind feature macros, and so that a helper needs no thread library.
int CLinuxShims_exit_when_peer_closes(int socket);

#endif
