# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# OpenVINO, from its wheel. Of the wheel's 170 MB the nine libraries are kept that CPU inference of an ONNX model
# loads (Sources/ModelInference/Libraries/ARCH.sha256), besides the licences. Three of them are easily taken for superfluous:
# - the IR front end reads the model cache; without it every start compiles anew (230 instead of 45 ms), silently;
# - tbbbind and hwloc are loaded by TBB to see processor kinds and NUMA nodes;
# - tbbmalloc is loaded by TBB by its bare name, so without ours the system's might be taken.
# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with bootstrap

openvino_version=2026.4.1
openvino_title="OpenVINO $openvino_version"
declare -A openvino_platform=([x86_64]=manylinux_2_28_x86_64 [aarch64]=manylinux_2_35_aarch64)
declare -A openvino_glibc=([x86_64]=2.28 [aarch64]=2.35)
declare -A openvino_megabytes=([x86_64]=59 [aarch64]=30)
declare -A openvino_wheel_sha256=(
    [x86_64]=2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf
    [aarch64]=bea1eb3733c34ef331adc945da0ccda5937865031139073663be84c517ffda22
)

openvino_folder() { printf '%s\n' "$1/lib/sensitive-content-analysis/openvino"; }

# The file VERSION beside the libraries: what they are and where they came from.
openvino_version_file() {
    printf 'version=%s\nplatform=%s\nwheel-sha256=%s\n' \
        "$openvino_version" "${openvino_platform[$arch]}" "${openvino_wheel_sha256[$arch]}"
}

openvino_files_are_right() {
    (cd "$1" 2>/dev/null && sha256sum --check --status "$root/Sources/ModelInference/Libraries/$arch.sha256" 2>/dev/null)
}

openvino_is_installed() {
    local folder
    folder=$(openvino_folder "$1")
    [ "$(cat "$folder/VERSION" 2>/dev/null)" = "$(openvino_version_file)" ] && openvino_files_are_right "$folder"
}

install_openvino() {
    local file folder glibc new=$stage/new members=()
    folder=$(openvino_folder "$prefix")
    glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2) || glibc=
    [ "$(printf '%s\n' "${openvino_glibc[$arch]}" "${glibc:-0}" | sort --version-sort | head -n 1)" = "${openvino_glibc[$arch]}" ] ||
        die "OpenVINO needs glibc ${openvino_glibc[$arch]} and this system has ${glibc:-none}: use Debian 12 or 13."

    say "$openvino_title: downloading ${openvino_megabytes[$arch]} MB from PyPI"
    # The libraries do not depend on Python, so any Python's wheel will do: one is pinned.
    download_wheel openvino "$openvino_version" "${openvino_wheel_sha256[$arch]}" \
        --platform "${openvino_platform[$arch]}" --python-version 311 --implementation cp --abi cp311

    while read -r _ file; do
        case $file in
            licences/*) members+=("$file=*.dist-info/licenses/*${file#licences/}") ;;
            *) members+=("$file=openvino/libs/$file") ;;
        esac
    done < <(grep -v '^#' "$root/Sources/ModelInference/Libraries/$arch.sha256")
    unpack "$wheel" "$new" "${members[@]}"
    openvino_files_are_right "$new" ||
        die "the files in ${wheel##*/} are not those that Sources/ModelInference/Libraries/$arch.sha256 lists: bring both to one version."
    openvino_version_file >"$new/VERSION"
    chmod 0755 "$new" "$new/licences"

    # Two renames; a program that has the old libraries mapped keeps them.
    if [ -e "$folder" ]; then
        mv "$folder" "$stage/old"
    fi
    mv "$new" "$folder" || {
        [ ! -e "$stage/old" ] || mv "$stage/old" "$folder"
        die "$folder could not be put in place: check who may write there and run this again."
    }
}
