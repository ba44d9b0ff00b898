# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# Debian packages: which are missing, and how they are installed.
# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with bootstrap

# Sets `missing` to those of the wanted packages (`a|b` is satisfied by either) that are not installed.
find_missing_packages() {
    missing=()
    [ $# -gt 0 ] || return 0
    command -v dpkg-query >/dev/null ||
        die "this is not a Debian system: install the counterparts of $* yourself, then run" \
            "scripts/bootstrap --for install and swift build."
    local installed wanted
    installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' | awk '$2 == "installed" { print $1 }')
    while IFS= read -r wanted; do
        # A plus in a name (libstdc++) is no pattern: whole lines, fixed strings.
        grep --quiet --line-regexp --fixed-strings "${wanted//|/$'\n'}" <<<"$installed" || missing+=("$wanted")
    done < <(printf '%s\n' "$@" | LC_ALL=C sort --unique)
}

report_packages() {
    find_missing_packages "$@"
    if [ ${#missing[@]} -eq 0 ]; then
        [ $# -eq 0 ] || say "Debian packages for \"$purpose\": present"
    else
        say "Debian packages for \"$purpose\": missing ${missing[*]}"
        something_is_missing=true
    fi
}

# Of `a|b`, the first that apt can install here.
choose_package() {
    local name
    for name in ${1//|/ }; do
        # Not grep --quiet: it ends early, and a broken pipe counts as failure here.
        if apt-cache policy "$name" 2>/dev/null | grep '^  Candidate: [^(]' >/dev/null; then
            printf '%s\n' "$name"
            return 0
        fi
    done
    return 1
}

# `${missing[@]}` as a person would type it: the first of the alternatives that apt knows, or the last.
missing_by_name() {
    local wanted
    for wanted in "${missing[@]}"; do
        choose_package "$wanted" || printf '%s\n' "${wanted##*|}"
    done | paste --serial --delimiters=' '
}

install_packages() {
    find_missing_packages "$@"
    if [ ${#missing[@]} -eq 0 ]; then
        [ $# -eq 0 ] || say "Debian packages for \"$purpose\": present"
        return 0
    fi
    if [ "$(id -u)" -ne 0 ]; then
        die "Debian packages are missing and this account may not install them: run" \
            "\"sudo apt-get install --no-install-recommends $(missing_by_name)\" and then this again."
    fi
    command -v apt-get >/dev/null || die "apt-get is missing: install ${missing[*]} by other means and run this again."

    local log name names=() wanted
    log=$(mktemp)
    say "Debian packages for \"$purpose\": installing ${missing[*]} (this can take minutes)"
    # A failing third-party source is no reason to stop: what matters is whether the packages can be had.
    apt-get update -qq >"$log" 2>&1 || true
    for wanted in "${missing[@]}"; do
        name=$(choose_package "$wanted") || {
            say "$(grep --max-count=1 '^[EW]:' "$log" || true)" >&2
            die "apt offers no package ${wanted//|/ or }: check the network and /etc/apt/sources.list (Debian 12" \
                "and 13 have it) and run this again."
        }
        names+=("$name")
    done
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "${names[@]}" >"$log" 2>&1 </dev/null || {
        say "$(grep '^E:' "$log" || tail -n 3 "$log")" >&2
        die "apt-get could not install ${names[*]}: put right what it says above and run this again (its log is $log)."
    }
    rm -f "$log"
    say "Debian packages for \"$purpose\": installed"
}
