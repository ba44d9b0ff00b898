# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# The Swift toolchain is not ours to install; its absence is noticed before anything else happens.
# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with bootstrap

require_swift() {
    command -v swift >/dev/null ||
        problem "no swift command on PATH: install Swift as https://www.swift.org/install/linux says and put its usr/bin" \
            "folder on PATH (through sudo: sudo env \"PATH=\$PATH\" make run)."
}

# Compares the toolchain with the tools version that the manifest asks for.
require_swift_version() {
    local found output wanted
    command -v swift >/dev/null || return 0
    # Looked at after the Debian packages, among which are shared libraries that it needs.
    if $check && [ ${#missing[@]} -gt 0 ]; then
        return 0
    fi
    if ! output=$(swift --version 2>&1); then
        problem "swift does not start ($(head -n 1 <<<"$output")): install the packages that" \
            "https://www.swift.org/install/linux names for this system."
        return 0
    fi
    found=$(sed --quiet 's/.*Swift version \([0-9][0-9.]*\).*/\1/p;T;q' <<<"$output")
    wanted=$(sed --quiet '1s/.*swift-tools-version: *\([0-9.]*\).*/\1/p' "$1")
    if [ "$(printf '%s\n' "$wanted" "$found" | sort --version-sort | head -n 1)" = "$wanted" ]; then
        say "Swift $found: present"
    else
        problem "Swift $found is too old, $wanted or later is needed: install it as" \
            "https://www.swift.org/install/linux says."
    fi
}
