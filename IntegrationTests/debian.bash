# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# A fresh Debian 12 without Swift, for the tests of packages. lib.bash comes before it.
# shellcheck shell=bash
# make_temporary_folder and lib.bash set the variables.
# shellcheck disable=SC2154

# Sets `packages` to the folder of the packages, which have to be there, and `debian` to a fresh root.
# make_temporary_folder comes before: make_fresh_debian [PACKAGES]
make_fresh_debian() {
    packages=${1:-$root/.build/packages}
    compgen -G "$packages/sca_*.deb" >/dev/null || die "$packages has no packages: run \"make deb\", or name their folder."
    [ "$(id -u)" -eq 0 ] || skip "a fresh root needs root"
    command -v debootstrap >/dev/null || skip "debootstrap is missing: run scripts/bootstrap --for campaign"
    debian=$work/debian
    say "making a fresh Debian 12"
    if ! debootstrap --variant=minbase bookworm "$debian" >"$work/log" 2>&1; then
        ! is_network_failure "$work/log" || skip "debootstrap reaches no mirror"
        tail -n 5 "$work/log" >&2
        die "debootstrap failed; the lines above say why."
    fi
    cp /etc/apt/sources.list "$debian/etc/apt/" 2>/dev/null || true
    local each
    for each in /etc/apt/apt.conf.d/*proxy* /etc/resolv.conf; do
        [ ! -f "$each" ] || install -D -m 0644 "$each" "$debian$each"
    done
    mkdir "$debian/packages"
    cp "$packages"/{sca,sensitive-content-analysis-helpers,sensitive-content-analysis-model}_*.deb "$debian/packages/"
    cp "$root/Tests/Fixtures/plain/plain.jpg" "$debian/packages/photograph.jpg"
}
