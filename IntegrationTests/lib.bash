# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# What the tests that are shell scripts share. Those in Python have support/.
# shellcheck shell=bash

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$tests")
# shellcheck source=scripts/lib/say.bash
source "$root/scripts/lib/say.bash"

# Ends the test where the machine lacks something: not a failure, but never silent.
skip() {
    skip_part "$(realpath --relative-to="$tests" "$0"): $*"
    exit 0
}

# Leaves out a part of the test; the others still count. The list of steps that runs the test names it at its end.
skip_part() {
    say "SKIPPED: $*"
    [ -z "${SCA_SKIPPED:-}" ] || printf '%s\n' "$*" >>"$SCA_SKIPPED"
}

# Sets `binaries` to the folder of the binaries, which have to be there: require_binaries NAME...
require_binaries() {
    local name
    binaries=${SCA_BUILD:-$root/.build-tests/release}
    for name in "$@"; do
        [ -x "$binaries/$name" ] ||
            die "$binaries/$name is missing: run \"make build-tests\", or name the folder of the binaries in SCA_BUILD."
    done
    binaries=$(cd "$binaries" && pwd)
}

# Sets `work` to a temporary folder that is removed when the script ends.
make_temporary_folder() {
    work=$(mktemp -d "${TMPDIR:-/tmp}/sca-test.XXXXXX")
    # shellcheck disable=SC2064 # the folder's name is known now
    trap "rm -rf '$work'" EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

# Sets `cache` to the folder for what is fetched or takes long to make; it is kept between runs.
make_cache_folder() {
    cache=${XDG_CACHE_HOME:-${HOME:?"names no folder: set it, or XDG_CACHE_HOME"}/.cache}
    cache=$cache/sensitive-content-analysis-tests
    mkdir -p "$cache" || die "$cache cannot be made: name another folder in XDG_CACHE_HOME."
}

# Sets `python` to Python in a virtual environment with the packages of a file, which is made anew after a change.
# make_cache_folder and make_temporary_folder come before: make_python_environment NAME REQUIREMENTS PACKAGES
make_python_environment() {
    local environment=$cache/$1-environment requirements=$2 packages=$3 wanted
    python3 -I -c 'import ensurepip, venv' 2>/dev/null ||
        skip "python3 cannot make virtual environments: install the Debian package python3-venv"
    wanted="$(python3 --version), $(digest_of "$requirements")"
    python=$environment/bin/python
    [ "$(cat "$environment/requirements" 2>/dev/null)" != "$wanted" ] || return 0
    say "making a virtual environment with $packages from PyPI"
    rm -rf "$environment"
    python3 -I -m venv "$environment"
    if ! "$python" -I -m pip install --quiet --no-input --disable-pip-version-check --retries 2 \
        --requirement "$requirements" 2>"$work/errors"; then
        rm -rf "$environment"
        ! is_network_failure "$work/errors" || skip "$packages: not in $cache, and there is no network"
        die "pip could not install $requirements: $(grep '^ERROR' "$work/errors" | tail -n 1)"
    fi
    printf '%s\n' "$wanted" >"$environment/requirements"
}

# The SHA-256 of the contents of files, in their order.
digest_of() { sha256sum -- "$@" | cut -d ' ' -f 1 | sha256sum | cut -d ' ' -f 1; }

# Whether a program's output says that the network was not there.
is_network_failure() {
    grep --quiet --ignore-case -E -e 'cannot be reached|could ?n.?t resolve|name ?resolution|network is unreachable' \
        -e 'connection (refused|timed out)|NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError' "$1"
}
