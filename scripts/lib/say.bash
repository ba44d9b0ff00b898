# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# How these scripts talk: plain lines, and one sentence with a remedy when they fail.
# shellcheck shell=bash

say() { printf '%s\n' "$*"; }

# Ends the script with one sentence that says what failed and what to do.
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}
