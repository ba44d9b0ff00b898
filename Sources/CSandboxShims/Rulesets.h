// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The parts of Landlock.c that OtherThreads.c needs as well.

#ifndef SCA_RULESETS_H
#define SCA_RULESETS_H

/// Makes a Landlock ruleset that allows nothing, or reading alone. Returns its descriptor and the version, or a negative
/// errno value.
int CSandboxShims_make_ruleset(int newest, int allows_reading, int *version);

/// Binds the calling thread. Returns 0, or an errno value. Safe in a signal handler.
int CSandboxShims_obey_ruleset(int ruleset);

#endif
