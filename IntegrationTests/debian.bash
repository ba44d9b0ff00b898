# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# Fresh roots of Debian, for the tests of packages and of other releases. lib.bash comes before it.
# shellcheck shell=bash
# make_temporary_folder and lib.bash set the variables.
# shellcheck disable=SC2154

# The release of this system, by its name.
running_suite() {
    # shellcheck source=/dev/null
    (source /etc/os-release && printf '%s\n' "${VERSION_CODENAME:-}")
}

# Sets `debian` to a fresh root of a release: make_root SUITE
# make_temporary_folder comes before.
make_root() {
    [ "$(id -u)" -eq 0 ] || skip "a fresh root needs root"
    command -v debootstrap >/dev/null || skip "debootstrap is missing: run scripts/bootstrap --for campaign"
    debian=$work/debian
    say "making a fresh root of Debian's release $1"
    if ! debootstrap --variant=minbase --include=ca-certificates "$1" "$debian" >"$work/log" 2>&1; then
        ! is_network_failure "$work/log" || skip "debootstrap reaches no mirror"
        tail -n 5 "$work/log" >&2
        die "debootstrap failed; the lines above say why."
    fi
    # Newer versions of the same release are there for a reason.
    cat >"$debian/etc/apt/sources.list" <<SOURCES
deb http://deb.debian.org/debian $1 main
deb http://deb.debian.org/debian $1-updates main
deb http://deb.debian.org/debian-security $1-security main
SOURCES
    # How this machine reaches the network, and whom it trusts there.
    local each
    for each in /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf.d/99* /etc/resolv.conf /etc/ssl/certs/ca-certificates.crt; do
        [ ! -f "$each" ] || install -D -m 0644 "$each" "$debian$each"
    done
}

# Runs a command in the fresh root, with processes, a /proc and temporary files of its own: inside [NAME=VALUE...] COMMAND...
# The folders of `lent` are seen there as well. The root takes the place of this machine's, since within a mere chroot no
# process can make namespaces.
inside() {
    # shellcheck disable=SC2016 # the shell in the new namespaces expands it
    unshare --mount --pid --fork --kill-child --propagation private bash -ec '
        cd "$1" && mount --bind . . && cd "$1"
        mount -t proc proc proc
        mount --rbind /dev dev
        mount --rbind /sys sys
        mount -t tmpfs tmpfs tmp
        for each in $2; do
            mkdir -p ".$each"
            mount --bind "$each" ".$each"
            mount -o remount,ro,bind ".$each"
        done
        pivot_root . . && umount --lazy . && cd /
        shift 2
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"' \
        inside "$debian" "${lent[*]:-}" "$@"
}

# Sets `packages` to the folder of the packages, which have to be there, and `debian` to a fresh root of the release that
# they were made for, which is the running one unless named, without Swift: make_fresh_debian [PACKAGES] [SUITE]
make_fresh_debian() {
    packages=${1:-$root/.build/packages}
    compgen -G "$packages/sca_*.deb" >/dev/null || die "$packages has no packages: run \"make deb\", or name their folder."
    make_root "${2:-$(running_suite)}"
    mkdir "$debian/packages"
    cp "$packages"/{sca,sensitive-content-analysis-helpers,sensitive-content-analysis-model}_*.deb "$debian/packages/"
    cp "$root/Tests/Fixtures/plain/plain.jpg" "$debian/packages/photograph.jpg"
}
