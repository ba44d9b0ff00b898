# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# Which files are the project's own.
# shellcheck shell=bash

# project_files ROOT [find conditions]: prints the files below ROOT, one a line. It leaves out what is built or fetched,
# and the fixtures of the checks, which are wrong on purpose.
project_files() {
    local root=$1
    shift
    (cd "$root" && find . \
        \( -name .git -o -name '.build*' -o -name '.venv*' -o -name __pycache__ -o -path ./scripts/fixtures \) -prune \
        -o -type f "$@" -print | sed 's#^\./##' | LC_ALL=C sort)
}
