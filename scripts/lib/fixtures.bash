# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# Checks of the checks: a fixture tree named good must pass, every bad-* must fail and say what its file `expected` says.
# shellcheck shell=bash

failed=0 ran=0

failed_test() {
    failed=$((failed + 1))
    say "FAILED $1" >&2
}

# expect_pass NAME COMMAND…
expect_pass() {
    local name=$1 output
    shift
    ran=$((ran + 1))
    output=$("$@" 2>&1) || failed_test "$name: it should pass and says: $output"
}

# expect_failure NAME MESSAGE COMMAND…
expect_failure() {
    local name=$1 message=$2 output
    shift 2
    ran=$((ran + 1))
    if output=$("$@" 2>&1); then
        failed_test "$name: it should fail with \"$message\" and passes"
    elif ! grep --quiet --fixed-strings -- "$message" <<<"$output"; then
        failed_test "$name: it should fail with \"$message\" and says: $output"
    fi
}

end_of_tests() {
    [ "$failed" -eq 0 ] || die "$failed of $ran cases failed: put right the check, or the fixture in scripts/fixtures."
    say "$ran cases passed"
}
