// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The layers of the sandbox around a decoder process, as system calls that Swift cannot make itself.
// Every function returns 0 or an errno value unless it says otherwise, and says why it exists.

#ifndef SCA_CSANDBOXSHIMS_H
#define SCA_CSANDBOXSHIMS_H

#include <stdint.h>

/// How many tasks (threads) the process has, or a negative errno value where that cannot be found out.
/// Provided because reading a folder's link count needs no more than one call here.
int CSandboxShims_task_count(void);

/// Closes every descriptor from this number on. Provided because closefrom is hidden behind feature macros.
void CSandboxShims_close_descriptors_from(int first);

/// Keeps the process and its descendants from gaining rights by running a program.
/// Provided because prctl is variadic.
int CSandboxShims_forbid_new_privileges(void);

/// Moves the process into user, network, mount and IPC namespaces of its own, or, where it is privileged and the
/// kernel gives no user namespaces, into the others. The process must have one task.
/// Provided because unshare is hidden behind feature macros.
int CSandboxShims_enter_namespaces(void);

/// Makes all that is mounted read-only for the process, in its own mount namespace, and keeps its mounts from others.
/// Memory that a descriptor names stays writable. Provided because mount_setattr has no function in the C library.
int CSandboxShims_make_file_systems_read_only(void);

/// Makes an empty folder, which nobody can write to, the root of the process, in its own mount namespace.
/// Provided because pivot_root has no function in the C library.
int CSandboxShims_empty_file_system(void);

/// Gives up all capabilities of the calling thread that mounting and giving up the rest do not need.
/// Provided because capset has no function.
int CSandboxShims_keep_capabilities_of_mounts(void);

/// Gives up all capabilities, for good. Provided because prctl is variadic and capset has no function.
int CSandboxShims_drop_capabilities(void);

/// Bounds the address space to its present size and `extra` bytes, for good; reads /proc.
/// Provided because the type of RLIMIT_AS differs between C libraries.
int CSandboxShims_limit_address_space(uint64_t extra);

/// Forbids core dumps, bounds descriptors and processor time, and keeps other processes of the same user from reading the
/// memory of this one. Provided because the types of RLIMIT_* differ between C libraries.
int CSandboxShims_forbid_inspection(unsigned descriptors, uint64_t processor_seconds);

/// Does the same, forbids locked memory and message queues, and bounds the size of files that are written, in bytes.
/// Provided because the types of RLIMIT_* differ between C libraries.
int CSandboxShims_limit_resources(unsigned descriptors, uint64_t processor_seconds, uint64_t largest_file);

/// Ends the process with SIGXCPU when it has used this much more processor time.
/// Provided because the type of RLIMIT_CPU differs between C libraries.
int CSandboxShims_limit_processor_time(uint64_t seconds);

/// Takes all rights to files, to TCP and, from version 6 on, to abstract sockets and signals outside from the calling
/// thread and the threads that it starts, as far as the kernel's version of Landlock knows them.
/// With `allows_reading`, reading files and loading programs stays allowed.
/// Returns the version in force, or a negative errno value; a version over `newest` counts as `newest`.
/// Provided because Landlock has no functions in the C library.
int CSandboxShims_restrict_with_landlock(int newest, int allows_reading);

/// Takes capabilities from all other threads if `capabilities` is not 0, and Landlock's rights unless
/// `newest_landlock` is 0. Returns 0, or an errno value where a thread could not be bound.
/// Provided because only a signal handler can do so, and Swift has none.
int CSandboxShims_bind_other_threads(int newest_landlock, int capabilities);

/// Lets all threads of the process make only the system calls of a written list, and messages on `sockets` alone.
/// With `has_threads`, its threads have been started: no more can be, and they may choose their processors.
/// Provided because libseccomp's calls are variadic.
int CSandboxShims_filter_system_calls(const int *sockets, int socket_count, int has_threads);

/// Refuses programs, processes, new connections, and changes of names and mounts to all threads, for a process whose
/// library makes calls that no list could name. With `is_loaded`, no file can be opened any more.
/// Provided because libseccomp's calls are variadic.
int CSandboxShims_forbid_programs_and_connections(int is_loaded);

/// Which sanitizer the program was built with: 0 for none, 1 for address, 2 for thread.
/// Provided because only the C compiler tells.
int CSandboxShims_sanitizer(void);

#endif
